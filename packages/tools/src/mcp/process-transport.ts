import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { noteCommand, ownedFolder } from '@nacre/core/node'
import { execa } from 'execa'
import { CAGE_DESCRIPTORS } from '../sandbox/sandbox.js'
import { processTree } from '../shell/process-tree.js'
import { type CagedServer, cageServer, SERVER_DESCRIPTORS } from './caged-server.js'
import type { LocalServer, ServerSandbox } from './gather-servers.js'

/** A transport that can say why it ended. */
export interface McpTransport extends Transport {
  /** What is known of how it ended, such as an exit code with the last words on standard error. */
  ending?(): string | undefined
}

/** Milliseconds for a server to end by itself when its input ends, and again when it is told to. */
const GRACE = 1_000
const LAST_WORDS = 500

export interface ProcessOptions {
  /** The folder of the session. */
  readonly cwd: string
  /** For servers that are to run in one. */
  readonly sandbox?: ServerSandbox | undefined
  /** Hears, in a sentence, what a server in a sandbox has left that was taken away again. */
  taken?(sentence: string): void
}

/**
 * A server as a child process that leads a group of its own, so that nothing it has started is left behind when it is
 * closed. It gets only the harmless part of the environment, and what its settings give it.
 */
export async function processTransport(server: LocalServer, options: ProcessOptions): Promise<McpTransport> {
  const { ReadBuffer, serializeMessage } = await import('@modelcontextprotocol/sdk/shared/stdio.js')
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const buffer = new ReadBuffer()
  let child: Child | undefined
  /** Done when nothing of it runs any more, and what it has left in a sandbox was looked at. */
  let over = Promise.resolve()
  let lastWords = ''
  let ending: string | undefined
  /** Whether it ends because it was told to, which says nothing about why. */
  let isClosing = false
  /** One message at a time: the library forgets a call when its answer comes, also what was said of it just before. */
  let delivered = Promise.resolve()
  const deliver = (work: () => void) => {
    delivered = delivered.then(work).then(() => new Promise((resolve) => setImmediate(resolve)))
  }

  const read = (chunk: Buffer) => {
    try {
      buffer.append(chunk)
    } catch (error) {
      transport.onerror?.(error as Error)
      ending ??= 'it wrote more than 10 MB in one line, and was ended'
      if (child) void end(child)
      return
    }
    for (;;) {
      try {
        const message = buffer.readMessage()
        if (message === null) return
        deliver(() => transport.onmessage?.(message))
      } catch (error) {
        transport.onerror?.(error as Error)
      }
    }
  }
  const transport: McpTransport = {
    async start() {
      const mark = randomUUID()
      const { start, caged } = await startOf(server, { ...options, mark, env: getDefaultEnvironment() })
      const folder = await noted(mark)
      child = startChild(start, mark, caged)
      void child.finally(() => folder && rm(folder, { recursive: true, force: true })).catch(() => undefined)
      const { stdout } = child
      // Nothing more is taken until what has come is delivered: a server can write faster than that.
      stdout.on('data', (chunk: Buffer) => {
        stdout.pause()
        read(chunk)
        void delivered.then(() => stdout.resume())
      })
      const hear = (chunk: Buffer) => {
        lastWords = `${lastWords}${chunk}`.slice(-LAST_WORDS)
      }
      for (const stream of [child.stderr, child.errors]) stream?.on('data', hear)
      child.stdin.on('error', (error) => transport.onerror?.(error))
      const started = child
      over = started.then(async (result) => {
        if (!isClosing) ending ??= endingOf(result, lastWords)
        for (const sentence of (await caged?.after().catch(notLookedAt)) ?? []) options.taken?.(sentence)
        deliver(() => transport.onclose?.())
      })
    },
    async send(message) {
      if (!child?.stdin.writable) throw new Error('the process has ended')
      const { stdin } = child
      await new Promise<void>((resolve, reject) => {
        stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()))
      })
    },
    async close() {
      if (!child) return
      // Where its input is broken it is ending by itself.
      isClosing ||= child.exitCode === null && child.signalCode === null && child.stdin.writable
      await end(child)
      await over
    },
    ending: () => ending,
  }
  return transport
}

/** How folders begin that say which servers run, so that those of a killed program are found. */
export const SERVER_FOLDERS = 'nacre-mcp-'
const MARKER = 'NACRE_COMMAND'

/** A folder that notes a server; without room for one the server runs all the same. */
async function noted(mark: string): Promise<string | undefined> {
  try {
    const folder = await ownedFolder(SERVER_FOLDERS)
    await noteCommand(folder, mark)
    return folder
  } catch {
    return undefined
  }
}

interface Start {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

interface Wanted extends ProcessOptions {
  readonly mark: string
  readonly env: Readonly<Record<string, string>>
}

/** What is to be run: the server itself, or what puts it into a cage. */
async function startOf(
  server: LocalServer,
  { cwd, sandbox, mark, env }: Wanted,
): Promise<{ readonly start: Start; readonly caged?: CagedServer }> {
  const { command, args = [] } = server
  const place = resolve(cwd, server.cwd ?? '.')
  const settings = { ...server.env, [MARKER]: mark }
  if (server.sandbox === undefined) return { start: { command, args, cwd: place, env: { ...env, ...settings } } }
  const surroundings = { workspace: cwd, cwd: place, env: { ...env, [MARKER]: mark }, settings, sandbox }
  const caged = await cageServer(server, surroundings)
  return { start: { ...caged, command: caged.program }, caged }
}

type Child = ReturnType<typeof startChild>

/** In a cage more streams are there: see `SERVER_DESCRIPTORS` and `CAGE_DESCRIPTORS`. */
function startChild({ command, args, cwd, env }: Start, mark: string, caged: CagedServer | undefined) {
  const pipes = Array.from({ length: caged ? (caged.isHeld ? 4 : 2) : 0 }, () => 'pipe' as const)
  // The library hands on any descriptor, and its types know some.
  const opened = (caged?.descriptors ?? []) as readonly 7[]
  const started = execa(command, args, {
    cwd,
    env,
    extendEnv: false,
    stdio: ['pipe', 'pipe', 'pipe', ...pipes, ...opened],
    buffer: false,
    reject: false,
    // Input and output are streams of bytes; ending either is up to the protocol.
    encoding: 'buffer',
    detached: process.platform !== 'win32',
  })
  for (const descriptor of caged?.descriptors ?? []) closeSync(descriptor)
  const [stdin, stdout, stderr] = started.stdio as unknown as [Writable, Readable, Readable]
  const child = Object.assign(started, {
    ...{ stdin, stdout, stderr, errors: caged && settle(started as unknown as ChildProcess, caged) },
    /** Asks it to end. In a cage the server itself is asked: with what has made the cage all in it ends at once. */
    askToEnd: () => void (caged ? tree?.signal('SIGTERM', 'session') : killGroup(started, 'SIGTERM')),
  })
  const { pid: shell } = started
  const tree = caged && shell ? processTree({ shell, mark, shellLine: '', isCaged: caged.isHeld }) : undefined
  // What it has started may hold its streams open, also from outside of the group.
  child.once('exit', () => {
    killGroup(child, 'SIGKILL')
    const late = setTimeout(() => {
      for (const stream of child.stdio) stream?.destroy()
    }, GRACE)
    void child.finally(() => clearTimeout(late))
  })
  return child
}

/** Gives a server in a cage what its settings say, and lets the cage end as soon as the server has. */
function settle(child: ChildProcess, { settings, follow }: CagedServer): Readable {
  const streams = child.stdio as unknown as Readonly<Record<number, Readable & Writable>>
  // Where the cage could not be made nobody reads, and how it has ended says so.
  const at = (descriptor: number) => streams[descriptor]?.on('error', () => undefined)
  at(SERVER_DESCRIPTORS.settings)?.end(settings)
  const hold = at(CAGE_DESCRIPTORS.hold)
  void follow(child).code.then(() => hold?.destroy())
  return at(SERVER_DESCRIPTORS.errors) as Readable
}

function notLookedAt(error: Error): string[] {
  return [`What it has left in the workspace could not be looked at: ${error.message}.`]
}

async function end(child: Child): Promise<void> {
  child.stdin.end()
  if (await endsWithin(child, GRACE)) return
  child.askToEnd()
  if (await endsWithin(child, GRACE)) return
  killGroup(child, 'SIGKILL')
  await child
}

async function endsWithin(child: Child, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  const hasEnded = await Promise.race([child.then(() => true), late])
  clearTimeout(timer)
  return hasEnded
}

function killGroup(child: Pick<ChildProcess, 'pid' | 'kill'>, signal: NodeJS.Signals): void {
  const { pid } = child
  if (pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-pid, signal)
  } catch {
    // Nobody is left in the group.
  }
}

function endingOf(result: Awaited<Child>, lastWords: string): string {
  const { exitCode, signal, originalMessage } = result
  if (exitCode === undefined && !signal) return `it could not be started: ${originalMessage}`
  const how = signal ? `was ended by ${signal}` : `ended with code ${exitCode}`
  const words = lastWords.trim().split('\n').slice(-3).join(' | ')
  return words ? `the process ${how}: ${words}` : `the process ${how}`
}
