import type { Backend } from '../answer/backend.js'
import type { Faults } from '../faults.js'
import type { Ledger } from '../ledger.js'
import type { Observers } from '../observers.js'
import type { RateLimiter } from '../rate-limits.js'
import type { Account } from '../validate/check-request.js'
import type { Accounts } from './call.js'

/** What the handlers of a running simulator work with. */
export interface SimulatorParts {
  readonly backend: Backend
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
