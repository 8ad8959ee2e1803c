import type { Command } from '@nacre/core'
import type { ShownTool } from '../define-tool.js'
import { type BashOutputInput, bashOutputTool } from './bash-output-tool.js'
import { type BashInput, bashTool } from './bash-tool.js'
import { findShell } from './find-shell.js'
import type { Job } from './job.js'
import { type KillBashInput, killBashTool } from './kill-bash-tool.js'
import { privateFolder } from './private-folder.js'
import type { ShellKit } from './shell-kit.js'
import { DEFAULT_LIMITS, realTime, type ShellOptions } from './shell-options.js'
import { shellProcesses } from './shell-processes.js'
import { tasksCommand } from './tasks-command.js'
import { workingFolder } from './working-folder.js'

/** The three tools of a shell. They share a working folder and the commands in the background. */
export interface BashTools {
  readonly bash: ShownTool<BashInput>
  readonly bashOutput: ShownTool<BashOutputInput>
  readonly killBash: ShownTool<KillBashInput>
  /** For people: what runs in the background, and the end of it. */
  readonly tasks: Command
  /** The commands in the background that have not ended, by id. */
  running(): readonly { readonly id: string; readonly command: string }[]
  /** Ends what still runs, and removes the files of long outputs that no session keeps. */
  close(): Promise<void>
}

/** Makes the tools, for use with an agent or without. Whoever makes them closes them. */
export function bashTools(options: ShellOptions = {}): BashTools {
  const { roots, environment = {}, time = realTime, isReadOnlyCommand = () => false } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const program = options.program ?? findShell()
  const folder = privateFolder(options.folder)
  const processes = shellProcesses({ program, environment, grace: limits.grace, folder, time })
  const jobs = new Map<string, Job>()
  const kit: ShellKit = {
    limits,
    time,
    folder,
    processes,
    workingFolder: workingFolder(roots),
    jobs,
    isReadOnlyCommand,
  }
  return {
    bash: bashTool(kit),
    bashOutput: bashOutputTool(kit),
    killBash: killBashTool(kit),
    tasks: tasksCommand(kit),
    running: () => [...jobs.values()].filter((job) => job.isRunning()),
    async close() {
      await processes.close()
      await folder.remove()
    },
  }
}
