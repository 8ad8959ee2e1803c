import { cacheCommand } from './commands/cache-command.js'
import { clearCommand } from './commands/clear-command.js'
import { compactCommand } from './commands/compact-command.js'
import { contextCommand } from './commands/context-command.js'
import { costCommand } from './commands/cost-command.js'
import { doctorCommand } from './commands/doctor-command.js'
import { exitCommand } from './commands/exit-command.js'
import { flagsCommand } from './commands/flags-command.js'
import { helpCommand } from './commands/help-command.js'
import { hooksCommand } from './commands/hooks-command.js'
import { logCommand } from './commands/log-command.js'
import { mcpCommand } from './commands/mcp-command.js'
import { memoryCommand } from './commands/memory-command.js'
import { modelCommand } from './commands/model-command.js'
import { permissionsCommand } from './commands/permissions-command.js'
import { planCommand } from './commands/plan-command.js'
import { pluginsCommand } from './commands/plugins-command.js'
import { receiptCommand } from './commands/receipt-command.js'
import { resumeCommand } from './commands/resume-command.js'
import { rewindCommand } from './commands/rewind-command.js'
import { skillsCommand } from './commands/skills-command.js'
import { tasksCommand } from './commands/tasks-command.js'
import { undoCommand } from './commands/undo-command.js'
import type { SlashCommand } from './slash-command.js'

/** Every command of the program, by name. Those of plugins come with each session. */
export const ALL_SLASH_COMMANDS: readonly SlashCommand[] = [
  cacheCommand,
  clearCommand,
  compactCommand,
  contextCommand,
  costCommand,
  doctorCommand,
  exitCommand,
  flagsCommand,
  helpCommand(() => ALL_SLASH_COMMANDS),
  hooksCommand,
  logCommand,
  mcpCommand,
  memoryCommand,
  modelCommand,
  permissionsCommand,
  planCommand,
  pluginsCommand,
  receiptCommand,
  resumeCommand,
  rewindCommand,
  skillsCommand,
  tasksCommand,
  undoCommand,
]
