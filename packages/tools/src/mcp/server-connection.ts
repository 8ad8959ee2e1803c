import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Awaitable } from '@nacre/core'
import { orAborted } from '../async.js'
import { type Connected, connectServer, type Listing } from './connect-server.js'
import type { McpServer } from './gather-servers.js'
import type { ProcessOptions } from './process-transport.js'
import { toolName } from './tool-names.js'

type ConnectionState =
  | { readonly status: 'connected' | 'connecting' | 'closed' }
  | { readonly status: 'failed'; readonly reason: string }

/** A server over the whole session, through all its connections. */
export interface ServerConnection {
  readonly name: string
  readonly isTrusted: boolean
  state(): ConnectionState
  /** What the server listed last. It stands while the server is away, since that may end. */
  listing(): Listing
  /** Ends a connection, if there is one, and makes a new one. A failure is reported; never rejects. */
  start(): Promise<void>
  /** Asks the server something, on a new connection where the old one is gone. `work` has a signal of its own. */
  ask<T>(work: Ask<T>, signal: AbortSignal): Promise<Answered<T>>
  close(): Promise<void>
}

type Ask<T> = (client: Client, signal: AbortSignal) => Promise<T>

type Answered<T> = { readonly answer: T } | { readonly lost: LostConnection }

export interface ConnectionOptions extends Omit<LinkOptions, 'listed'> {
  readonly isTrusted: boolean
  /** Hears when the server lists something else. */
  changed(): void
}

export function serverConnection(options: ConnectionOptions): ServerConnection {
  const { name, isTrusted, changed, report } = options
  let listing: Listing = { tools: [], prompts: [], hasResources: false }
  const link = serverLink({
    ...options,
    listed(next) {
      listing = { ...next, tools: namedOnce(name, next.tools) }
      changed()
    },
  })
  const attempt = async <T>(connected: Connected, work: Ask<T>, signal: AbortSignal): Promise<Tried<T>> => {
    try {
      // The library never takes its listeners off a signal, and one may serve many calls.
      const answer = await work(connected.client, AbortSignal.any([signal]))
      link.hasAnswered()
      return { answer }
    } catch (error) {
      const lost = lostConnection(error, connected.ending(), link.current() !== connected)
      if (!lost && !isUnknownSession(error)) throw error
      link.lose(connected)
      return lost ? { lost } : { lost: UNKNOWN, isWorthAnother: true }
    }
  }
  const ask = async <T>(work: Ask<T>, signal: AbortSignal, isLast = false): Promise<Answered<T>> => {
    const connected = await orAborted(link.ready(), signal).catch(() => signal.throwIfAborted())
    if (!connected) return { lost: { reason: link.failure(), mayHaveRun: false } }
    const tried = await attempt(connected, work, signal)
    return 'lost' in tried && tried.isWorthAnother && !isLast ? ask(work, signal, true) : tried
  }
  return {
    name,
    isTrusted,
    state() {
      if (link.isClosed()) return { status: 'closed' }
      if (link.current()) return { status: 'connected' }
      return link.isConnecting() ? { status: 'connecting' } : { status: 'failed', reason: link.failure() }
    },
    listing: () => listing,
    start: () =>
      link.restart().catch(() => {
        if (!link.isClosed()) report('warning', `MCP server '${name}' was not started: ${withoutStop(link.failure())}.`)
      }),
    ask: (work, signal) => ask(work, signal),
    close: link.close,
  }
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '')
}

const UNKNOWN: LostConnection = { reason: 'the server does not know the session any more', mayHaveRun: false }

/** The request was not looked at: it does no harm to make it again. */
type Tried<T> = { readonly answer: T } | { readonly lost: LostConnection; readonly isWorthAnother?: true }

/** The API takes no two tools of one name: the first one stands. */
function namedOnce(server: string, tools: Listing['tools']): Listing['tools'] {
  const names = new Set<string>()
  return tools.filter((tool) => {
    const name = toolName(server, tool.name)
    return !names.has(name) && names.add(name)
  })
}

interface LinkOptions extends Pick<ProcessOptions, 'cwd' | 'sandbox'> {
  readonly name: string
  /** The server with its variables put in; throws where one is unknown. */
  server(): McpServer
  readonly startTimeout: number
  wait(milliseconds: number, signal: AbortSignal): Awaitable<void>
  /** Hears what the server lists, at the start and whenever it lists something else. */
  listed(listing: Listing): void
  report(level: 'info' | 'warning', text: string): void
}

/** A connection that is made again when it was lost: at once, then after longer and longer waits, and not for ever. */
interface ServerLink {
  current(): Connected | undefined
  isConnecting(): boolean
  isClosed(): boolean
  /** Why there is no connection. */
  failure(): string
  /** The connection, or one more attempt at it where all were given up. */
  ready(): Promise<Connected>
  /** Gives a connection up and makes another one in the background. */
  lose(connected: Connected): void
  /** The server has answered: it may be lost as often again. */
  hasAnswered(): void
  restart(): Promise<void>
  close(): Promise<void>
}

/** How often a server is connected again without having answered anything in between. */
const MOST_ATTEMPTS = 5
const FIRST_WAIT = 500

interface LinkState {
  readonly ended: AbortController
  current?: Connected | undefined
  connecting?: Promise<Connected> | undefined
  failure: string
  attempts: number
}

function serverLink(options: LinkOptions): ServerLink {
  const state: LinkState = { ended: new AbortController(), failure: 'it was not started', attempts: 0 }
  const { signal } = state.ended
  const start = () => begin(state, () => connect(options, state, lose))
  const lose = (connected: Connected) => {
    if (state.current !== connected) return
    state.current = undefined
    state.failure = connected.ending() ?? 'the connection was closed'
    void connected.close().catch(() => undefined)
    if (signal.aborted) return
    options.report('warning', `MCP server '${options.name}' was lost: ${state.failure}.`)
    if (state.attempts < MOST_ATTEMPTS) void begin(state, () => connectAgain(options, state, lose))
  }
  return {
    current: () => state.current,
    isConnecting: () => state.connecting !== undefined,
    isClosed: () => signal.aborted,
    failure: () => state.failure,
    ready: async () => state.current ?? state.connecting ?? start(),
    lose,
    hasAnswered() {
      state.attempts = 0
    },
    async restart() {
      const before = state.current
      if (state.connecting) return void (await state.connecting)
      state.current = undefined
      state.attempts = 0
      // As one step: nobody else starts the server in between, and a close waits for both.
      await begin(state, async () => {
        await before?.close().catch(() => undefined)
        return connect(options, state, lose)
      })
    },
    async close() {
      state.ended.abort(new Error('The session was closed.'))
      const before = state.current
      state.current = undefined
      await Promise.allSettled([before?.close(), state.connecting])
    },
  }
}

/** Whoever waits hears of a failure; when nobody does, that is no error. */
function begin(state: LinkState, work: () => Promise<Connected>): Promise<Connected> {
  const begun = work().finally(() => {
    if (state.connecting === begun) state.connecting = undefined
  })
  begun.catch(() => undefined)
  state.connecting = begun
  return begun
}

type Lose = ServerLink['lose']

async function connect(options: LinkOptions, state: LinkState, lose: Lose): Promise<Connected> {
  const { name, startTimeout, cwd, sandbox, listed, report } = options
  const timeout = AbortSignal.timeout(startTimeout)
  let made: Connected | undefined
  let isOver = false
  try {
    state.ended.signal.throwIfAborted()
    made = await connectServer(options.server(), {
      cwd,
      sandbox,
      taken: (sentence) => report('warning', `Of MCP server '${name}': ${sentence}`),
      timeout: startTimeout,
      signal: AbortSignal.any([state.ended.signal, timeout]),
      changed: listed,
      closed() {
        isOver = true
        if (made) lose(made)
      },
    })
    if (state.ended.signal.aborted) await made.close()
    state.ended.signal.throwIfAborted()
    if (isOver) throw new Error(made.ending() ?? 'it ended at once')
  } catch (error) {
    state.failure = timeout.aborted ? `it did not start within ${startTimeout} ms` : (error as Error).message
    throw error
  }
  state.current = made
  listed(made.listing)
  return made
}

async function connectAgain(options: LinkOptions, state: LinkState, lose: Lose): Promise<Connected> {
  const { signal } = state.ended
  for (;;) {
    const attempt = state.attempts++
    if (attempt > 0) await options.wait(FIRST_WAIT * 2 ** (attempt - 1), signal)
    try {
      return await connect(options, state, lose)
    } catch (error) {
      if (signal.aborted) throw error
      if (state.attempts < MOST_ATTEMPTS) continue
      options.report('warning', `MCP server '${options.name}' could not be connected again: ${state.failure}.`)
      throw error
    }
  }
}

/** A request whose answer will never come, since the connection is gone. */
interface LostConnection {
  readonly reason: string
  /** Whether the server may have begun with what it was asked for. */
  readonly mayHaveRun: boolean
}

/** Servers that were started anew do not know the session they are asked in: the request was not looked at. */
function isUnknownSession(error: unknown): boolean {
  const { code, message, name } = error as {
    readonly code?: unknown
    readonly message?: string
    readonly name?: string
  }
  // An answer of the server to this very request, which may use any number as its code.
  if (name === 'McpError') return false
  return code === 404 || (code === 400 && /session/i.test(message ?? ''))
}

/** What a failure says about the connection; `undefined` when that still stands. */
function lostConnection(error: unknown, ending: string | undefined, hasEnded: boolean): LostConnection | undefined {
  if (hasEnded) return { reason: ending ?? 'the connection was closed', mayHaveRun: true }
  if (!(error instanceof TypeError)) return undefined
  // What `fetch` throws when there is no connection; its cause says how far it came.
  const { code, message } = (error.cause ?? {}) as { readonly code?: string; readonly message?: string }
  const mayHaveRun = !['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(code ?? '')
  return { reason: message || code || error.message, mayHaveRun }
}
