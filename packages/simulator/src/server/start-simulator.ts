import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Backend } from '../answer/backend.js'
import { offlineSearch, type WebSearch } from '../answer/web-search.js'
import { tokenMemo } from '../measure/tokens.js'
import { type CustomModel, modelTable } from '../models/model-table.js'
import { createFingerprints, promptCache } from '../prompt/prompt-cache.js'
import type { SimulatedModel } from '../replies/model.js'
import { offline } from '../replies/offline.js'
import { createSeals } from '../thinking/signatures.js'
import type { Account } from '../validate/check-request.js'
import { type Accounts, DEFAULT_ACCOUNT, header, type ServerContext } from './call.js'
import { type Clock, runningClock, seededRandom } from './clock.js'
import { createFaults, type Faults } from './faults.js'
import { createLedger, createObservers, type Ledger, type Observer } from './ledger.js'
import { type RateLimits, rateLimiter } from './rate-limits.js'
import { route } from './route.js'

export interface SimulatorOptions {
  /** What answers; the offline model by default. */
  readonly model?: SimulatedModel
  /** 0, the default, takes any free port. */
  readonly port?: number
  readonly clock?: Clock
  /** Models besides those of the table, or in their place. */
  readonly models?: readonly CustomModel[]
  /** The account of every key, or accounts by key; with those, other keys are refused. */
  readonly account?: Partial<Account>
  readonly accounts?: Accounts
  /** A file that gets a line of JSON for each request. */
  readonly ledger?: string
  readonly details?: SimulatorDetails
}

/** What few tests need to change. */
export interface SimulatorDetails {
  /** Makes ids repeat from run to run. */
  readonly seed?: number
  /** Signatures hold for every simulator with the same secret, so also after a restart. */
  readonly secret?: string
  readonly limits?: RateLimits
  /** Milliseconds between two events of a stream. */
  readonly pace?: number
  readonly refresh?: 'marked' | 'hit'
  /** Extensions that the public API does not have. */
  readonly extensions?: readonly 'cache-edits'[]
  readonly report?: (error: Error) => void
  /** What the web says to a search; pages of its own unless told. */
  readonly search?: WebSearch
}

export interface Simulator {
  /** The `baseURL` for a client. */
  readonly url: string
  readonly port: number
  readonly clock: Clock
  readonly faults: Faults
  readonly ledger: Omit<Ledger, 'record' | 'close'>
  /** Calls back for every answered request; returns a function that ends it. */
  observe(observer: Observer): () => void
  close(): Promise<void>
}

/** Starts a Messages API on a loopback port. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const context = createContext(options)
  const server = createServer()
  serve(server, context)
  const port = await listen(server, options.port ?? 0)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    clock: context.clock,
    faults: context.faults,
    ledger: context.ledger,
    observe: context.observers.add,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      await context.ledger.close()
    },
  }
}

function createContext(options: SimulatorOptions): ServerContext {
  const details = options.details ?? {}
  const clock = options.clock ?? runningClock()
  const backend: Backend = {
    model: options.model ?? offline(),
    table: modelTable(options.models),
    cache: promptCache({ refresh: details.refresh ?? 'marked' }),
    memo: tokenMemo(),
    seals: createSeals(details.secret ?? 'nacre-simulator'),
    fingerprints: createFingerprints(),
    search: details.search ?? offlineSearch,
    newId: createIds(seededRandom(details.seed ?? randomInt(2 ** 32))),
  }
  return {
    backend,
    clock,
    faults: createFaults(),
    ledger: createLedger(options.ledger),
    observers: createObservers(),
    limiter: rateLimiter(details.limits ?? {}, clock),
    account: { ...DEFAULT_ACCOUNT, ...options.account },
    accounts: options.accounts,
    cacheEdits: details.extensions?.includes('cache-edits') ?? false,
    pace: details.pace ?? 0,
    report: details.report ?? (() => undefined),
  }
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const RANDOM = 14
/** Before the last one. */
const COUNTED = 7

/**
 * Makes ids of the API's shape; the same seed gives the same ids in the same order. The first part tells simulators
 * apart, the second counts: no id comes twice.
 */
function createIds(random: () => number): (prefix: string) => string {
  const own = Array.from({ length: RANDOM }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]).join('')
  let count = 0
  // All but the last character, which stay the same for as many ids as the alphabet has characters.
  let start = ''
  return (prefix) => {
    count += 1
    const last = count % ALPHABET.length
    if (last === 0 || start === '') start = `_01${own}${counted(Math.floor(count / ALPHABET.length))}`
    return prefix + start + ALPHABET[last]
  }
}

function counted(count: number): string {
  let text = ''
  for (let left = count; text.length < COUNTED; left = Math.floor(left / ALPHABET.length)) {
    text = ALPHABET[left % ALPHABET.length] + text
  }
  return text
}

function serve(server: Server, context: ServerContext): void {
  const signals = new WeakMap<Socket, AbortSignal>()
  server.on('connection', (socket) => {
    const left = new AbortController()
    signals.set(socket, left.signal)
    socket.on('close', () => left.abort())
  })
  server.on('request', (request, response) => {
    void route(
      {
        request,
        response,
        requestId: context.backend.newId('req'),
        started: context.clock.now(),
        source: header(request, 'x-nacre-source') ?? 'main',
        signal: signals.get(request.socket) as AbortSignal,
      },
      context,
    )
  })
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
