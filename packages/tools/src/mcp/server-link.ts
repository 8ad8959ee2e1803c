import type { Awaitable } from '@nacre/core'
import { type Connected, connectServer, type Listing } from './connect-server.js'
import type { McpServer } from './mcp-server.js'

export interface LinkParts {
  readonly name: string
  /** The server with its variables put in; throws where one is unknown. */
  server(): McpServer
  readonly cwd: string
  readonly startTimeout: number
  wait(milliseconds: number, signal: AbortSignal): Awaitable<void>
  /** Hears what the server lists, at the start and whenever it lists something else. */
  listed(listing: Listing): void
  report(level: 'info' | 'warning', text: string): void
}

/** A connection that is made again when it was lost: at once, then after longer and longer waits, and not for ever. */
export interface ServerLink {
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

export function serverLink(parts: LinkParts): ServerLink {
  const state: LinkState = { ended: new AbortController(), failure: 'it was not started', attempts: 0 }
  const { signal } = state.ended
  const start = () => begin(state, () => connect(parts, state, lose))
  const lose = (connected: Connected) => {
    if (state.current !== connected) return
    state.current = undefined
    state.failure = connected.ending() ?? 'the connection was closed'
    void connected.close().catch(() => undefined)
    if (signal.aborted) return
    parts.report('warning', `MCP server '${parts.name}' was lost: ${state.failure}.`)
    if (state.attempts < MOST_ATTEMPTS) void begin(state, () => connectAgain(parts, state, lose))
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
        return connect(parts, state, lose)
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

async function connect(parts: LinkParts, state: LinkState, lose: Lose): Promise<Connected> {
  const { startTimeout, cwd, listed } = parts
  const timeout = AbortSignal.timeout(startTimeout)
  let made: Connected | undefined
  let isOver = false
  try {
    state.ended.signal.throwIfAborted()
    made = await connectServer(parts.server(), {
      cwd,
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

async function connectAgain(parts: LinkParts, state: LinkState, lose: Lose): Promise<Connected> {
  const { signal } = state.ended
  for (;;) {
    const attempt = state.attempts++
    if (attempt > 0) await parts.wait(FIRST_WAIT * 2 ** (attempt - 1), signal)
    try {
      return await connect(parts, state, lose)
    } catch (error) {
      if (signal.aborted) throw error
      if (state.attempts < MOST_ATTEMPTS) continue
      parts.report('warning', `MCP server '${parts.name}' could not be connected again: ${state.failure}.`)
      throw error
    }
  }
}
