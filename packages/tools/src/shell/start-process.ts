import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, constants as flags, openSync, unlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { noteCommand, ownedFolder } from '@nacre/core/node'
import { MOST_TRIES, type Sandbox } from '../sandbox/create-sandbox.js'
import type { Cage, CagedInvocation, Invocation } from '../sandbox/sandbox.js'
import { endTree, type ProcessTree, processTree, type Whom, watchTree } from './process-tree.js'
import type { ShellOptions, ShellTime } from './shell-options.js'

/** A command that was started, with all that it starts itself. */
export interface ShellProcess {
  /** Both streams in the order of arrival, until nobody has them open any more or it is released. */
  readonly output: AsyncIterable<Uint8Array>
  /** Whether it has begun: where it has a cage, whether that could be made. */
  readonly stands: Promise<boolean>
  /** How the shell itself ended. */
  readonly ended: Promise<ProcessEnd>
  /** Where the shell stood at its end, where it could tell. Open until nothing runs any more or it is released. */
  readonly folder: Promise<string | undefined>
  /** What the shell has left running, in words. */
  left(): readonly string[]
  /** Ends it. Waits until nothing runs any more, and tells whether that is so. */
  end(whom: Whom): Promise<boolean>
  /** Lets a cage end, with all that was left behind in it. To be called once that is known; does nothing without a cage. */
  letGo(): void
  /** What of it was taken away from the workspace again, in sentences. To be asked once nothing of it runs any more. */
  after(): Promise<readonly string[]>
  /** Lets go of it, whoever still runs. */
  release(): void
}

export interface ProcessEnd {
  readonly code: number
  readonly signal?: NodeJS.Signals
  /** Its cage has ended before it could: most often it could not be made. */
  readonly isCageLost?: true
}

interface ProcessSettings {
  readonly program: string
  readonly environment: NonNullable<ShellOptions['environment']>
  readonly grace: number
  readonly folder: PrivateFolder
  /** Where pipes are made: nobody who runs a command may see them, or they would read and write for others. */
  readonly pipes: PrivateFolder
  readonly time: ShellTime
  readonly sandbox: Pick<Sandbox, 'enter' | 'hide'> | undefined
}

/** What is to be run, where, and in which cage if in any. */
interface ShellCommand {
  readonly command: string
  readonly cwd: string
  readonly cage: Cage | undefined
  /** Beside those of every command. */
  readonly environment?: Environment | undefined
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

/** Tries anew where no cage was made: what was to be covered may be gone at just that moment, and nothing has run. */
async function startProcess(wanted: ShellCommand, settings: ProcessSettings): Promise<ShellProcess> {
  for (let tries = 1; ; tries++) {
    const started = await startOnce(wanted, settings)
    if (tries === MOST_TRIES || (await started.stands)) return started
    started.release()
  }
}

/**
 * Starts a command in a session of its own, without a terminal and without input. By node:child_process, since execa
 * signals one process and not a group, and buffers or pipes what here goes through one pipe made beforehand.
 */
async function startOnce(wanted: ShellCommand, settings: ProcessSettings): Promise<ShellProcess> {
  const { command, cwd } = wanted
  const { program, environment, folder, pipes, grace, time, sandbox } = settings
  const mark = randomUUID()
  const env = commandEnvironment(mark, { ...environment, ...wanted.environment })
  const plain = { program, args: ['-c', SCRIPT, basename(program)], cwd, env }
  // Without a place for a pipe of that kind, Node's has to do.
  const pipe = await pipes
    .path()
    .then((path) => {
      sandbox?.hide(path)
      return openPipe(path)
    })
    .catch(() => undefined)
  const caged = await enterCage(plain, wanted, settings).catch((error: Error) => {
    pipe?.reader.destroy()
    pipe?.closeWriter()
    throw error
  })
  const forgetNote = await folder
    .path()
    .then((path) => noteCommand(path, mark))
    .catch(() => undefined)
  const child = await spawned(caged ?? plain, pipe?.writer ?? 'pipe')
    .catch((error: Error) => {
      caged?.follow(undefined)
      pipe?.reader.destroy()
      throw new Error(`The shell ${program} could not be started in ${cwd}: ${error.message}`)
    })
    .finally(() => {
      pipe?.closeWriter()
      for (const descriptor of caged?.descriptors ?? []) closeSync(descriptor)
    })
  const news = caged?.follow(child)
  const output = (pipe?.reader ?? child.stdout) as Readable
  const isHeld = caged?.isHeld === true
  const gone = isHeld ? new Promise((resolve) => child.once('exit', resolve)) : undefined
  const shellLine = [program, ...plain.args].join(' ')
  const tree = processTree({ shell: child.pid as number, mark, shellLine, isCaged: isHeld })
  const forget = watchTree(tree)
  const [, , , script, place, status, hold] = child.stdio as unknown as OpenStreams
  // A shell that is ended early reads no script: that shows in how it ended.
  for (const stream of [script, hold]) stream?.on('error', () => undefined)
  script.end(command)
  const letGo = () => void hold?.destroy()
  return {
    output,
    stands: news?.stands ?? Promise.resolve(true),
    ended: news && isHeld ? endInCage(child, news.code, tree) : endOf(child, tree),
    folder: readFolder(place),
    left: tree.left,
    async end(whom) {
      const isEnded = await endTree(tree, { whom, grace, time })
      letGo()
      return isEnded
    },
    letGo,
    async after() {
      await gone
      return caged?.after() ?? []
    },
    release() {
      // Whatever is left of a cage could still change something: it has no say in when it ends.
      if (isHeld) tree.signal('SIGKILL', 'all')
      for (const stream of [output, script, place, status, hold]) stream?.destroy()
      forget()
      void forgetNote?.().catch(() => undefined)
    },
  }
}

async function enterCage(
  plain: Invocation,
  { cage }: ShellCommand,
  { sandbox }: ProcessSettings,
): Promise<CagedInvocation | undefined> {
  return cage && sandbox?.enter(plain, cage)
}

type OpenStreams = [never, never, never, Writable, Readable, Readable | undefined, Writable | undefined]

/** In a process group of its own, the first of a new session. */
async function spawned(wanted: Invocation | CagedInvocation, writer: number | 'pipe'): Promise<ChildProcess> {
  const { program, args, cwd, env } = wanted
  const stdio: StdioOptions = ['ignore', writer, 'ignore', 'pipe', 'pipe']
  // What makes a cage says by the second one what is wrong with it; the shell in it sends both the same way.
  if ('isHeld' in wanted) stdio[2] = writer
  if ('isHeld' in wanted && wanted.isHeld) stdio.push('pipe', 'pipe', ...wanted.descriptors)
  const child = spawn(program, args, { cwd, env, detached: true, stdio })
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

/** The first process of a cage tells how the shell has ended, and goes on. A cage that ends without a word was none. */
async function endInCage(
  child: ChildProcess,
  code: Promise<number | undefined>,
  tree: ProcessTree,
): Promise<ProcessEnd> {
  const ended = endOf(child, tree)
  const told = await code
  if (told === undefined) return { ...(await ended), isCageLost: true }
  tree.shellEnded()
  return { code: told }
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

/** All commands that one set of tools has running. */
export interface ShellProcesses {
  start(command: ShellCommand): Promise<ShellProcess>
  /** Ends what still runs; nothing can be started afterwards. */
  close(): Promise<void>
}

export function shellProcesses(settings: ProcessSettings): ShellProcesses {
  const running = new Set<ShellProcess>()
  let isClosed = false
  const endAll = async () => {
    await Promise.all([...running].map((process) => process.end('all')))
    for (const process of running) process.release()
  }
  return {
    async start(command) {
      const started = isClosed ? undefined : await startProcess(command, settings)
      if (started) {
        const process: ShellProcess = {
          ...started,
          release() {
            started.release()
            running.delete(process)
          },
        }
        running.add(process)
        if (!isClosed) return process
        await endAll()
      }
      throw new Error('The shell is closed: its session has ended.')
    },
    close() {
      isClosed = true
      return endAll()
    },
  }
}

/** The variable by which processes of a command are found again, also those that left its group. */
const MARKER = 'NACRE_COMMAND'

/**
 * Nobody sits in front of a command: pagers print, editors and prompts fail at once. `CI` is not set, since tools do
 * other work where they find it: frozen lock files, warnings that count as errors, snapshots that are not written.
 */
const NOBODY_THERE = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  TERM: 'dumb',
  // What is printed is there when the output is polled, and not lost when the time is up.
  PYTHONUNBUFFERED: '1',
  // Where the shell of the person was before is no place for a `cd -`.
  OLDPWD: undefined,
}

type Environment = Readonly<Record<string, string | undefined>>

/** What a command finds in its environment. A command inside of a command carries the marks of both. */
function commandEnvironment(mark: string, added: Environment, base: Environment = process.env): Environment {
  const outer = base[MARKER]
  return { ...base, ...NOBODY_THERE, ...added, [MARKER]: outer ? `${outer}:${mark}` : mark }
}

/** One pipe for all that a command writes. */
interface OutputPipe {
  readonly reader: Socket
  /** For the process; to be closed on this side as soon as the process has it. */
  readonly writer: number
  closeWriter(): void
}

/**
 * Node's own pipes are sockets, which can not be opened as /dev/stdout or /dev/stderr: `tee /dev/stderr` would fail. So
 * the pipe is made by name, and the name is taken away at once. Both streams go through it, in the order of arrival.
 */
async function openPipe(folder: string): Promise<OutputPipe> {
  const path = join(folder, randomUUID())
  await promisify(execFile)('mkfifo', ['-m', '600', path])
  try {
    // Without waiting for a writer, who comes next; a file handle would close it behind the back of the socket.
    const reader = openSync(path, flags.O_RDONLY | flags.O_NONBLOCK)
    const writer = openSync(path, flags.O_WRONLY)
    const socket = new Socket({ fd: reader, readable: true, writable: false })
    return { reader: socket, writer, closeWriter: () => closeSync(writer) }
  } finally {
    // Not rmSync: it looks at the pipe first, and then Node 20 takes links to modules for no links.
    unlinkSync(path)
  }
}

/** Who still has the output open after this many milliseconds has made himself a daemon, and is not waited for. */
const DRAIN = 1_000

/** Hands on what a process writes, chunk by chunk, until it ends or is released. Never rejects. */
export async function pump(
  output: AsyncIterable<Uint8Array>,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  try {
    for await (const chunk of output) await take(chunk)
  } catch {
    // Released while somebody still had it open.
  }
}

/** Waits for work that ends by itself as soon as nobody has the output open any more, but not for long. */
export async function drained(work: Promise<unknown>, time: ShellTime): Promise<void> {
  const stop = new AbortController()
  const patience = Promise.resolve(time.wait(DRAIN, stop.signal)).catch(() => undefined)
  await Promise.race([work, patience])
  stop.abort()
}

/** A folder that nobody else may look into, made when it is first needed. */
export interface PrivateFolder {
  path(): Promise<string>
  remove(): Promise<void>
}

/** How folders of shells begin, in the folder for temporary files. */
export const SHELL_FOLDERS = 'nacre-shell-'

export function privateFolder(parent = tmpdir()): PrivateFolder {
  let made: Promise<string> | undefined
  return {
    path() {
      made ??= ownedFolder(SHELL_FOLDERS, parent)
      // Next time there may be room again.
      made.catch(() => {
        made = undefined
      })
      return made
    },
    async remove() {
      const path = await made?.catch(() => undefined)
      made = undefined
      if (path !== undefined) await rm(path, { recursive: true, force: true }).catch(() => undefined)
    },
  }
}
