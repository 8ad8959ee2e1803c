import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { constants } from 'node:os'
import { basename } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { commandEnvironment } from './command-environment.js'
import { endTree } from './end-tree.js'
import { watchTree } from './live-trees.js'
import { openPipe } from './open-pipe.js'
import type { PrivateFolder } from './private-folder.js'
import { type ProcessTree, processTree, type Whom } from './process-tree.js'
import type { ShellOptions, ShellTime } from './shell-options.js'

/** A command that was started, with all that it starts itself. */
export interface ShellProcess {
  /** Both streams in the order of arrival, until nobody has them open any more or it is released. */
  readonly output: AsyncIterable<Uint8Array>
  /** How the shell itself ended. */
  readonly ended: Promise<ProcessEnd>
  /** Where the shell stood at its end, where it could tell. Open until nothing runs any more or it is released. */
  readonly folder: Promise<string | undefined>
  /** What the shell has left running, in words. */
  left(): readonly string[]
  /** Ends it. Waits until nothing runs any more, and tells whether that is so. */
  end(whom: Whom): Promise<boolean>
  /** Lets go of it, whoever still runs. */
  release(): void
}

export interface ProcessEnd {
  readonly code: number
  readonly signal?: NodeJS.Signals
}

export interface ProcessSettings {
  readonly program: string
  readonly environment: NonNullable<ShellOptions['environment']>
  readonly grace: number
  readonly folder: PrivateFolder
  readonly time: ShellTime
}

/**
 * Reads the command from a descriptor, so that it may be of any length and is not found by its own `pkill -f`, and tells
 * the folder it ends in through another. On one line, so that the lines of the command are counted from 1.
 */
const SCRIPT = [
  'exec 2>&1',
  'nacre_command=$(cat <&3)',
  'exec 3<&-',
  "trap '{ command pwd -P >&4; } 2>/dev/null' EXIT",
  'eval "$nacre_command" 4>&-',
].join('; ')

/**
 * Starts a command in a session of its own, without a terminal and without input. By node:child_process, since execa
 * signals one process and not a group, and buffers or pipes what here goes through one pipe made beforehand.
 */
export async function startProcess(command: string, cwd: string, settings: ProcessSettings): Promise<ShellProcess> {
  const { program, environment, folder, grace, time } = settings
  const mark = randomUUID()
  const env = commandEnvironment(mark, environment)
  // Without a place for a pipe of that kind, Node's has to do.
  const pipe = await folder
    .path()
    .then(openPipe)
    .catch(() => undefined)
  const child = await spawned(program, { cwd, env, writer: pipe?.writer ?? 'pipe' })
    .catch((error: Error) => {
      pipe?.reader.destroy()
      throw new Error(`The shell ${program} could not be started in ${cwd}: ${error.message}`)
    })
    .finally(() => pipe?.closeWriter())
  const output = (pipe?.reader ?? child.stdout) as Readable
  const tree = processTree(child.pid as number, mark)
  const forget = watchTree(tree)
  const [, , , script, place] = child.stdio as unknown as [never, never, never, Writable, Readable]
  // A shell that is ended early reads no script: that shows in how it ended.
  script.on('error', () => undefined)
  script.end(command)
  return {
    output,
    ended: endOf(child, tree),
    folder: readFolder(place),
    left: tree.left,
    end: (whom) => endTree(tree, { whom, grace, time }),
    release() {
      for (const stream of [output, script, place]) stream.destroy()
      forget()
    },
  }
}

interface Surroundings {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly writer: number | 'pipe'
}

/** In a process group of its own, the first of a new session. */
async function spawned(program: string, { cwd, env, writer }: Surroundings): Promise<ChildProcess> {
  const stdio: StdioOptions = ['ignore', writer, 'ignore', 'pipe', 'pipe']
  const child = spawn(program, ['-c', SCRIPT, basename(program)], { cwd, env, detached: true, stdio })
  if (child.pid === undefined) throw (await once(child, 'error'))[0]
  return child
}

function endOf(child: ChildProcess, tree: ProcessTree): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      tree.shellEnded()
      resolve(signal ? { code: 128 + constants.signals[signal], signal } : { code: code ?? 0 })
    })
  })
}

async function readFolder(place: Readable): Promise<string | undefined> {
  let told = ''
  try {
    for await (const part of place.setEncoding('utf8')) told += part
  } catch {
    // Released: what was told by then counts.
  }
  return told.replace(/\n$/, '') || undefined
}
