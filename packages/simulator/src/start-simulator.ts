import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Backend } from './answer/backend.js'
import { createFingerprints } from './answer/fingerprints.js'
import { promptCache } from './cache/prompt-cache.js'
import { type Clock, runningClock } from './clock.js'
import { createFaults, type Faults } from './faults.js'
import { type Accounts, DEFAULT_ACCOUNT, header } from './http/call.js'
import { route } from './http/route.js'
import type { SimulatorParts } from './http/simulator-parts.js'
import { createIds, type Ids } from './ids.js'
import { createLedger, type Ledger } from './ledger.js'
import { type CustomModel, modelTable } from './models/find-model.js'
import { createObservers, type Observer } from './observers.js'
import { tokenMemo } from './prompt/token-memo.js'
import { seededRandom } from './random.js'
import { type RateLimits, rateLimiter } from './rate-limits.js'
import type { SimulatedModel } from './replies/model.js'
import { offline } from './replies/offline.js'
import { createSeals } from './thinking/thought.js'
import type { Account } from './validate/check-request.js'

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
  const parts = createParts(options)
  const server = createServer()
  serve(server, parts)
  const port = await listen(server, options.port ?? 0)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    clock: parts.backend.clock,
    faults: parts.faults,
    ledger: parts.ledger,
    observe: parts.observers.add,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      await parts.ledger.close()
    },
  }
}

function createParts(options: SimulatorOptions): SimulatorParts {
  const details = options.details ?? {}
  const clock = options.clock ?? runningClock()
  const backend: Backend = {
    model: options.model ?? offline(),
    table: modelTable(options.models),
    cache: promptCache({ refresh: details.refresh ?? 'marked' }),
    memo: tokenMemo(),
    seals: createSeals(details.secret ?? 'nacre-simulator'),
    fingerprints: createFingerprints(),
    clock,
    newId: createIds(seededRandom(details.seed ?? randomInt(2 ** 32))),
  }
  return {
    backend,
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

function serve(server: Server, parts: SimulatorParts): void {
  const newId: Ids = parts.backend.newId
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
        requestId: newId('req'),
        started: parts.backend.clock.now(),
        source: header(request, 'x-nacre-source') ?? 'main',
        signal: signals.get(request.socket) as AbortSignal,
      },
      parts,
    )
  })
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
