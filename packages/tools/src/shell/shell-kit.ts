import type { Job } from './job.js'
import type { PrivateFolder } from './private-folder.js'
import type { ShellLimits, ShellOptions, ShellTime } from './shell-options.js'
import type { ShellProcesses } from './shell-processes.js'
import type { WorkingFolder } from './working-folder.js'

/** What the three tools share. */
export interface ShellKit {
  readonly limits: ShellLimits
  readonly time: ShellTime
  readonly folder: PrivateFolder
  readonly processes: ShellProcesses
  readonly workingFolder: WorkingFolder
  readonly jobs: Map<string, Job>
  readonly isReadOnlyCommand: NonNullable<ShellOptions['isReadOnlyCommand']>
}
