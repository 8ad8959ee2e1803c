import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Backend } from '../answer/backend.js'
import type { Account } from '../validate/check-request.js'
import type { Dialect } from '../validate/read-request.js'
import { ApiError, invalid } from '../wire/api-error.js'
import { readBetas } from '../wire/betas.js'
import type { Clock } from './clock.js'
import type { Faults } from './faults.js'
import type { Ledger, Observers } from './ledger.js'
import type { RateLimiter } from './rate-limits.js'
import type { Headers } from './respond.js'

export type Accounts = Readonly<Record<string, Partial<Account>>>

export const DEFAULT_ACCOUNT: Account = {
  organization: '6a1f0e52-3c1b-4d0e-9a54-5b1f2f9d7c11',
  workspace: 'wrkspc_01SimulatedDefaultWorkspace',
  thinkingBinding: 'enforced',
}

/** One HTTP request on its way through the server. */
export interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly started: number
  readonly source: string
  /** Aborted when the client closes its connection: one for all requests on it, since making one costs. */
  readonly signal: AbortSignal
}

/** What the handlers of a running simulator work with. */
export interface ServerContext {
  readonly backend: Backend
  readonly clock: Clock
  readonly faults: Faults
  readonly ledger: Ledger
  readonly observers: Observers
  readonly limiter: RateLimiter
  readonly account: Account
  readonly accounts: Accounts | undefined
  readonly cacheEdits: boolean
  readonly pace: number
  /** Hears what went wrong inside, such as a model that threw. */
  report(error: Error): void
}

export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

/** Who is asking. Any key will do, unless accounts were given: then it must be one of theirs. */
export function accountOf(request: IncomingMessage, { accounts, account: base }: ServerContext): Account {
  const key = header(request, 'authorization')?.replace(/^Bearer\s+/i, '') || header(request, 'x-api-key')
  if (!key) throw new ApiError(401, 'authentication_error', 'x-api-key header is required')
  const own = accounts?.[key]
  if (accounts && !own) throw new ApiError(401, 'authentication_error', 'invalid x-api-key')
  const account = own ? { ...base, ...own } : base
  const workspace = header(request, 'anthropic-workspace-id')
  return workspace ? { ...account, workspace } : account
}

export function dialectOf(request: IncomingMessage, endpoint: Dialect['endpoint'], cacheEdits: boolean): Dialect {
  const version = header(request, 'anthropic-version')
  if (!version) throw invalid('anthropic-version: header is required')
  if (version !== '2026-10-21' && version !== '2023-06-01') {
    throw invalid(`anthropic-version: "${version}" is not a valid version`)
  }
  return { endpoint, version, betas: readBetas(header(request, 'anthropic-beta')), cacheEdits }
}

export function accountHeaders(requestId: string, account: Account): Headers {
  const { organization, workspace } = account
  return ['request-id', requestId, 'anthropic-organization-id', organization, 'anthropic-workspace-id', workspace]
}

const MAX_BODY = 32 * 1024 * 1024

/** Never settles when the client leaves before the end of what it had to say: then there is nothing left to do. */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      // The rest is read and thrown away: a client that is still sending would not see an answer.
      if (size > MAX_BODY) chunks.length = 0
      else chunks.push(chunk)
    })
    request.on('end', () => {
      if (size > MAX_BODY) reject(new ApiError(413, 'request_too_large', 'Request exceeds the maximum size'))
      else resolve((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString())
    })
  })
}
