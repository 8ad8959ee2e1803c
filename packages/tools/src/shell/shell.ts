import { delimiter, join, resolve } from 'node:path'
import { type Command, definePlugin, type Plugin, type Restored } from '@nacre/core'
import { endLeftBehind } from '@nacre/core/node'
import type { ShownTool } from '../define-tool.js'
import { isExecutable } from '../paths.js'
import type { Sandbox } from '../sandbox/create-sandbox.js'
import {
  type BashOutputInput,
  bashOutputTool,
  type KillBashInput,
  killBashTool,
  type ShellContext,
  tasksCommand,
} from './background.js'
import { type BashInput, bashTool } from './bash-tool.js'
import { commandCages } from './cages.js'
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
      // What the tool says of itself depends on it.
      await options.sandbox?.status()
      const { bash, bashOutput, killBash, tasks, running, close } = bashTools(options)
      const { sandbox } = options
      return {
        tools: [bash, bashOutput, killBash],
        commands: [tasks, ...(sandbox?.isReady ? [portsCommand(sandbox)] : [])],
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
  const { sandbox } = options
  // Commands in a sandbox see the other one.
  const pipes = sandbox ? privateFolder(options.folder) : folder
  const leave = sandbox?.use()
  const processes = shellProcesses({ program, environment, grace: limits.grace, folder, pipes, time, sandbox })
  const jobs = new Map<string, Job>()
  const shared: ShellContext = {
    limits,
    time,
    folder,
    processes,
    workingFolder: workingFolder(roots, sandbox?.outside),
    jobs,
    isReadOnlyCommand,
    cages: commandCages(options, folder),
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
      await pipes.remove()
      await leave?.()
    },
  }
}

const PORTS_HELP =
  'Lists the ports of servers in the sandbox that are open; `open <port>` and `close <port>` change that.'

/** Lets people reach a server that a command has started in the sandbox. */
function portsCommand(sandbox: Pick<Sandbox, 'publish' | 'unpublish' | 'published'>): Command {
  return {
    name: 'ports',
    help: PORTS_HELP,
    async run(args) {
      const [what, word, ...rest] = args.trim().split(/\s+/)
      if (what === '' && word === undefined) return listed(sandbox.published())
      const port = Number(word)
      const isPort = Number.isInteger(port) && port > 0 && port < 65_536
      if ((what !== 'open' && what !== 'close') || !isPort || rest.length > 0)
        return `'ports ${args.trim()}' can not be read. ${PORTS_HELP}`
      if (what === 'close') {
        const isOpen = sandbox.published().includes(port)
        await sandbox.unpublish(port)
        return isOpen ? `The port ${port} is closed.` : `The port ${port} was not open.`
      }
      try {
        await sandbox.publish(port)
      } catch (error) {
        return (error as Error).message
      }
      return `The port ${port} of the sandbox is open at http://127.0.0.1:${port}, until it is closed or the session ends.`
    },
  }
}

function listed(ports: readonly number[]): string {
  return ports.length === 0
    ? `No port is open. ${PORTS_HELP}`
    : ports.map((port) => `http://127.0.0.1:${port}`).join('\n')
}

/** Bash where it is found, else the sh that every Unix has. */
export function findShell(searchPath = process.env.PATH ?? ''): string {
  const folders = [...searchPath.split(delimiter).filter((folder) => folder.startsWith('/')), '/bin', '/usr/bin']
  return folders.map((folder) => join(folder, 'bash')).find(isExecutable) ?? '/bin/sh'
}
