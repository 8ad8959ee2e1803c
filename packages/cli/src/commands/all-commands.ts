import type { AddCommand } from './command.js'
import { completionCommand } from './completion/completion-command.js'
import { diffCommand } from './diff/diff-command.js'
import { doctorCommand } from './doctor/doctor-command.js'
import { flagsCommand } from './flags/flags-command.js'
import { importCommand } from './import/import-command.js'
import { logCommand } from './log/log-command.js'
import { memoryCommand } from './memory/memory-command.js'
import { sessionsCommand } from './sessions/sessions-command.js'
import { trustCommand } from './trust/trust-command.js'
import { undoCommand } from './undo/undo-command.js'
import { verifyCommand } from './verify/verify-command.js'

/** Every subcommand of the program. What each does is loaded when it is asked for. */
export const ALL_COMMANDS: readonly AddCommand[] = [
  sessionsCommand,
  logCommand,
  diffCommand,
  undoCommand,
  verifyCommand,
  memoryCommand,
  flagsCommand,
  importCommand,
  doctorCommand,
  trustCommand,
  completionCommand,
]
