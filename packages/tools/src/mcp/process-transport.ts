import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { noteCommand, ownedFolder } from '@nacre/core/node'
import { execa } from 'execa'
import type { LocalServer } from './gather-servers.js'

/** A transport that can say why it ended. */
export interface McpTransport extends Transport {
  /** What is known of how it ended, such as an exit code with the last words on standard error. */
  ending?(): string | undefined
}

/** Milliseconds for a server to end by itself when its input ends, and again when it is told to. */
const GRACE = 1_000
const LAST_WORDS = 500

/**
 * A server as a child process that leads a group of its own, so that nothing it has started is left behind when it is
 * closed. It gets only the harmless part of the environment, and what its settings give it.
 */
export async function processTransport(server: LocalServer, cwd: string): Promise<McpTransport> {
  const { ReadBuffer, serializeMessage } = await import('@modelcontextprotocol/sdk/shared/stdio.js')
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const env = { ...getDefaultEnvironment(), ...server.env }
  const buffer = new ReadBuffer()
  let child: Child | undefined
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
      const folder = await noted(mark)
      child = startChild(server, resolve(cwd, server.cwd ?? '.'), { ...env, [MARKER]: mark })
      void child.finally(() => folder && rm(folder, { recursive: true, force: true })).catch(() => undefined)
      const { stdout } = child
      // Nothing more is taken until what has come is delivered: a server can write faster than that.
      stdout.on('data', (chunk: Buffer) => {
        stdout.pause()
        read(chunk)
        void delivered.then(() => stdout.resume())
      })
      child.stderr.on('data', (chunk: Buffer) => {
        lastWords = `${lastWords}${chunk}`.slice(-LAST_WORDS)
      })
      child.stdin.on('error', (error) => transport.onerror?.(error))
      const started = child
      void started.then((result) => {
        if (!isClosing) ending ??= endingOf(result, lastWords)
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

type Child = ReturnType<typeof startChild>

function startChild({ command, args = [] }: LocalServer, cwd: string, env: Readonly<Record<string, string>>) {
  const child = execa(command, args, {
    cwd,
    env,
    extendEnv: false,
    stdin: 'pipe',
    buffer: false,
    reject: false,
    // Input and output are streams of bytes; ending either is up to the protocol.
    encoding: 'buffer',
    detached: process.platform !== 'win32',
  })
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

async function end(child: Child): Promise<void> {
  child.stdin.end()
  if (await endsWithin(child, GRACE)) return
  killGroup(child, 'SIGTERM')
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
