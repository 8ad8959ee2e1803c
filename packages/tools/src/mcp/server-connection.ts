import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Connected, Listing } from './connect-server.js'
import { isUnknownSession, type LostConnection, lostConnection } from './lost-connection.js'
import { type LinkParts, serverLink } from './server-link.js'
import { toolName } from './tool-name.js'

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

export interface ConnectionParts extends Omit<LinkParts, 'listed'> {
  readonly isTrusted: boolean
  /** Hears when the server lists something else. */
  changed(): void
}

export function serverConnection(parts: ConnectionParts): ServerConnection {
  const { name, isTrusted, changed, report } = parts
  let listing: Listing = { tools: [], prompts: [], hasResources: false }
  const link = serverLink({
    ...parts,
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
        if (!link.isClosed()) report('warning', `MCP server '${name}' was not started: ${link.failure()}.`)
      }),
    ask: (work, signal) => ask(work, signal),
    close: link.close,
  }
}

/** The API takes no two tools of one name: the first one stands. */
function namedOnce(server: string, tools: Listing['tools']): Listing['tools'] {
  const names = new Set<string>()
  return tools.filter((tool) => {
    const name = toolName(server, tool.name)
    return !names.has(name) && names.add(name)
  })
}

const UNKNOWN: LostConnection = { reason: 'the server does not know the session any more', mayHaveRun: false }

/** The request was not looked at: it does no harm to make it again. */
type Tried<T> = { readonly answer: T } | { readonly lost: LostConnection; readonly isWorthAnother?: true }

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
