import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { type Command, definePlugin, type Plugin, type Restored } from '@nacre/core'
import { endLeftBehind } from '@nacre/core/node'
import type { ShownTool } from '../define-tool.js'
import {
  type BashOutputInput,
  bashOutputTool,
  type KillBashInput,
  killBashTool,
  type ShellContext,
  tasksCommand,
} from './background.js'
import { type BashInput, bashTool } from './bash-tool.js'
import { firstLine } from './format.js'
import type { Job } from './job.js'
import { DEFAULT_LIMITS, realTime, type ShellOptions } from './shell-options.js'
import { privateFolder, SHELL_FOLDERS, shellProcesses } from './start-process.js'
import { keptFolder, SHELL, workingFolder } from './working-folder.js'

/** Gives a session a shell: Bash, BashOutput and KillBash. What still runs ends with the session. */
export function shell(options: ShellOptions = {}): Plugin {
  return definePlugin({
    name: SHELL,
    scope: 'sessions',
    async setup({ cwd }) {
      await endLeftBehind(SHELL_FOLDERS, options.folder)
      const { bash, bashOutput, killBash, tasks, running, close } = bashTools(options)
      return {
        tools: [bash, bashOutput, killBash],
        commands: [tasks],
        restorers: [
          {
            name: SHELL,
            restore: ({ view }) => restored(keptFolder(view) ?? resolve(cwd), resolve(cwd), running()),
          },
        ],
        dispose: close,
      }
    },
  })
}

const COMMAND_CHARS = 200

/** A fold takes away where a `cd` has led and what was started: both still hold. */
function restored(folder: string, home: string, running: readonly { id: string; command: string }[]): Restored[] {
  const moved = `The working folder of Bash is ${folder}.`
  const jobs = running.map(({ id, command }) => `${id}: ${firstLine(command).slice(0, COMMAND_CHARS)}`)
  return [
    ...(folder === home ? [] : [{ what: 'working folder', text: moved, status: 'live' as const }]),
    ...(jobs.length > 0
      ? [{ what: 'commands in the background', text: jobs.join('\n'), status: 'live' as const }]
      : []),
  ]
}

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
  const shared: ShellContext = {
    limits,
    time,
    folder,
    processes,
    workingFolder: workingFolder(roots),
    jobs,
    isReadOnlyCommand,
  }
  return {
    bash: bashTool(shared),
    bashOutput: bashOutputTool(shared),
    killBash: killBashTool(shared),
    tasks: tasksCommand(shared),
    running: () => [...jobs.values()].filter((job) => job.isRunning()),
    async close() {
      await processes.close()
      await folder.remove()
    },
  }
}

/** Bash where it is found, else the sh that every Unix has. */
export function findShell(searchPath = process.env.PATH ?? ''): string {
  const folders = [...searchPath.split(delimiter).filter((folder) => folder.startsWith('/')), '/bin', '/usr/bin']
  return folders.map((folder) => join(folder, 'bash')).find(isExecutable) ?? '/bin/sh'
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
