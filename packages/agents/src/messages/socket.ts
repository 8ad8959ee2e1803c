import { connect, createServer, type Server, type Socket } from 'node:net'
import { NacreError } from '@nacre/core'
import { errorCode } from './box-file.js'
import { type Message, toMessage } from './message.js'
import {
  lockSocket,
  makeSocketFolder,
  mustBeOwnSocket,
  mustHaveSockets,
  removeDeadSocket,
  sweepSocket,
} from './socket-file.js'

export { socketPath } from './socket-file.js'

const LINE_LIMIT = 1_000_000
const TIMEOUT = 10_000
const CONNECTIONS = 64
const REMEMBERED = 10_000

/** What messages are taken with. */
export interface ListenOptions {
  readonly path: string
  /** Resolves when the message is safe: only then it is acknowledged. */
  receive(message: Message): Promise<void>
  report?(error: Error): void
  /** Milliseconds that one connection may last; ten seconds if none are named. */
  readonly timeout?: number
}

/** A session that takes messages. */
export interface SocketListener {
  readonly path: string
  /** Answers those whose message is being received, and removes the socket. */
  close(): Promise<void>
}

/** Takes messages from other sessions of the same user. It does not keep the process alive. */
export async function listenForMessages(options: ListenOptions): Promise<SocketListener> {
  const { path } = options
  mustHaveSockets()
  await makeSocketFolder(path)
  const connections = createConnections(options)
  const lock = await lockSocket(path)
  if ('holder' in lock) throw busy(path, lock.holder)
  try {
    const server = await listenAt(path, connections.accept)
    server.on('error', (error) => options.report?.(error))
    return {
      path,
      async close() {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()))
        connections.end()
        await closed
      },
    }
  } finally {
    await lock.release()
  }
}

function busy(path: string, holder?: string): NacreError {
  const message = `Another process takes the messages of this session at ${path}. End it, or go on there.`
  return new NacreError('SESSION_BUSY', message, holder === undefined ? {} : { holder })
}

async function listenAt(path: string, accept: (socket: Socket) => void): Promise<Server> {
  const attempt = () =>
    new Promise<Server>((resolve, reject) => {
      // Half-open: one who says no more may still wait for the answer.
      const server = createServer({ allowHalfOpen: true }, accept).unref()
      server.once('error', reject)
      server.listen(path, () => {
        server.off('error', reject)
        resolve(server)
      })
    })
  try {
    return await attempt()
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE') throw unlistenable(path, error)
    await mustBeOwnSocket(path)
    if (!(await removeDeadSocket(path))) throw busy(path)
    return await attempt().catch((again: unknown) => {
      throw unlistenable(path, again)
    })
  }
}

function unlistenable(path: string, cause: unknown): NacreError {
  const code = errorCode(cause) ?? 'unknown error'
  const message = `Cannot listen at ${path} (${code}). Set XDG_RUNTIME_DIR to a folder on a local disk.`
  return new NacreError('STORE_UNWRITABLE', message, { cause })
}

type Answer = { readonly ok: true; readonly id: string } | { readonly error: string }

/** Those who are connected. Each says one line and gets one, whatever it says. */
function createConnections({ receive, report, timeout = TIMEOUT }: ListenOptions) {
  const connected = new Set<Socket>()
  const receiving = new Set<Socket>()
  const receiveOnce = onceForEachId(receive)
  let isEnding = false

  const answerTo = async (socket: Socket): Promise<Answer> => {
    try {
      const message = parseMessage(await firstLine(socket))
      receiving.add(socket)
      await receiveOnce(message).catch((error: unknown) => {
        report?.(toError(error))
        throw error
      })
      return { ok: true, id: message.id }
    } catch (error) {
      return { error: toError(error).message }
    } finally {
      receiving.delete(socket)
    }
  }
  return {
    accept(socket: Socket) {
      // One who hangs up misses the answer, and nothing else.
      socket.unref().on('error', () => undefined)
      if (connected.size >= CONNECTIONS) {
        endWith(socket, { error: `${CONNECTIONS} others are sending. Send it again later.` })
        return
      }
      connected.add(socket)
      const late = { error: `Not acknowledged within ${timeout} ms. Send it again: with the same id it arrives once.` }
      const timer = setTimeout(() => endWith(socket, late), timeout).unref()
      socket.once('close', () => {
        clearTimeout(timer)
        connected.delete(socket)
      })
      void answerTo(socket).then((answer) => {
        // Who is still talking, as with a line too long, hears of the error only if it is listened to till the end.
        if ('error' in answer && !isEnding) socket.resume().end(toLine(answer))
        else endWith(socket, answer)
      })
    },
    /** Ends all but those whose message is on its way to safety. */
    end() {
      isEnding = true
      for (const socket of connected) if (!receiving.has(socket)) socket.destroy()
    },
  }
}

/** Receives the same id once, also while it is being received. A failed one may come again. */
function onceForEachId(receive: ListenOptions['receive']): (message: Message) => Promise<void> {
  const known = new Map<string, Promise<void>>()
  return (message) => {
    const before = known.get(message.id)
    if (before !== undefined) return before
    const received = Promise.resolve(message).then(receive)
    known.set(message.id, received)
    received.catch(() => known.delete(message.id))
    const [oldest] = known.keys()
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
    return received
  }
}

function parseMessage(line: string): Message {
  const message = toMessage(parseJson(line))
  if (message === undefined) throw new Error('This is no message. Send one line of JSON: id, from, to, body and time.')
  return message
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function toLine(value: Answer | Message): string {
  return `${JSON.stringify(value)}\n`
}

function toError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value))
}

function endWith(socket: Socket, answer: Answer): void {
  socket.end(toLine(answer), () => socket.destroy())
}

const NEWLINE = 10

/** The first line that comes. Rejects where it is too long or is never finished. */
function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer) => {
      const cut = chunk.indexOf(NEWLINE)
      const part = cut === -1 ? chunk : chunk.subarray(0, cut)
      parts.push(part)
      bytes += part.length
      if (bytes > LINE_LIMIT) reject(new Error(TOO_LONG))
      else if (cut === -1) return
      else resolve(Buffer.concat(parts).toString('utf8'))
      socket.off('data', take)
    }
    socket.on('data', take)
    socket.once('error', reject)
    for (const end of ['end', 'close']) socket.once(end, () => reject(new Error('The line has no end.')))
  })
}

const TOO_LONG = `A message has at most ${LINE_LIMIT} bytes. Write the rest to a file and name that.`

/** How a message is sent. */
export interface SendOptions {
  readonly signal?: AbortSignal
  /** Milliseconds until the other has to have acknowledged; ten seconds if none are named. */
  readonly timeout?: number
  /** Where our own sockets are: a dead one is removed there, and nowhere else. */
  readonly runtimeFolder?: string
}

/** Sends one message; resolves when the other has acknowledged it. */
export async function sendToSocket(path: string, message: Message, options: SendOptions = {}): Promise<void> {
  const { signal, timeout = TIMEOUT, runtimeFolder } = options
  mustHaveSockets()
  const line = toLine(message)
  if (Buffer.byteLength(line) > LINE_LIMIT) throw new NacreError('INVALID_REQUEST', TOO_LONG)
  await mustBeOwnSocket(path)
  const limit = AbortSignal.timeout(timeout)
  const answer = await exchange(path, line, signal ? AbortSignal.any([signal, limit]) : limit).catch(
    async (cause: unknown) => {
      const isGone = errorCode(cause) === 'ECONNREFUSED'
      // Who can't clear it away has the same news all the same.
      if (isGone) await sweepSocket(path, runtimeFolder).catch(() => undefined)
      throw failure({ path, cause, timeout, isAborted: signal?.aborted === true, isLate: limit.aborted, isGone })
    },
  )
  const { ok, id, error } = (parseJson(answer) ?? {}) as Partial<Record<string, unknown>>
  if (ok === true && id === message.id) return
  const reason = typeof error === 'string' ? error : 'It gave no answer that makes sense.'
  throw new NacreError('NETWORK', `The session at ${path} did not take the message. ${reason}`)
}

async function exchange(path: string, line: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  const socket = connect(path)
  const end = () => socket.destroy()
  signal.addEventListener('abort', end, { once: true })
  try {
    const answer = firstLine(socket)
    socket.write(line)
    return await answer
  } finally {
    signal.removeEventListener('abort', end)
    socket.on('error', () => undefined).destroy()
  }
}

interface Failure {
  readonly path: string
  readonly cause: unknown
  readonly timeout: number
  readonly isAborted: boolean
  readonly isLate: boolean
  readonly isGone: boolean
}

const AGAIN = 'Send it again: with the same id it is received once.'

function failure({ path, cause, timeout, isAborted, isLate, isGone }: Failure): NacreError {
  if (isAborted)
    return new NacreError('ABORTED', `Sending was stopped. The message may have arrived. ${AGAIN}`, { cause })
  if (isGone) {
    const message = `The session at ${path} is gone: nobody listens there. Resume it, or send to another one.`
    return new NacreError('NOT_FOUND', message, { cause })
  }
  if (isLate) {
    return new NacreError('NETWORK', `The session at ${path} said nothing for ${timeout} ms. ${AGAIN}`, { cause })
  }
  const code = errorCode(cause) ?? 'closed without an answer'
  return new NacreError('NETWORK', `The connection to ${path} broke (${code}). ${AGAIN}`, { cause })
}
