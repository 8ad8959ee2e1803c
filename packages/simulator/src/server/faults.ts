import { ApiError, invalid } from '../wire/api-error.js'
import { seededRandom } from './clock.js'

/** What can go wrong, by name. The last six need a request that is otherwise answered. */
export const FAULT_KINDS = [
  'rate-limit',
  'spend-cap',
  'overloaded',
  'internal',
  'timeout',
  'too-long',
  'compaction-unavailable',
  'reset',
  'slow',
  'stream-error',
  'cut',
  'stall',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  readonly kind: FaultKind
  /** How often it happens; once by default, or without end where a probability is given. */
  readonly times?: number
  /** Matching requests that pass before the first one. */
  readonly after?: number
  readonly probability?: number
  readonly seed?: number
  /** Only requests of this source (header `x-nacre-source`). */
  readonly source?: string
  /** `rate-limit`: seconds for the header `retry-after`. */
  readonly retryAfter?: number
  /** `slow`: milliseconds before the first byte. `stream-error`, `cut`, `stall`: events that still get through. */
  readonly amount?: number
}

export interface Faults {
  /** Returns a function that takes the fault out again. */
  add(fault: Fault): () => void
  clear(): void
  /** The fault that strikes this request, if any. Counts as having happened. */
  strike(source: string): Fault | undefined
}

export function createFaults(): Faults {
  const armed = new Set<ArmedFault>()
  return {
    add(fault) {
      const entry = arm(fault)
      armed.add(entry)
      return () => {
        armed.delete(entry)
      }
    },
    clear: () => armed.clear(),
    strike(source) {
      for (const entry of armed) {
        if (entry.fault.source !== undefined && entry.fault.source !== source) continue
        if (!entry.next()) continue
        if (entry.isSpent()) armed.delete(entry)
        return entry.fault
      }
      return undefined
    },
  }
}

interface ArmedFault {
  readonly fault: Fault
  /** Whether it strikes at this matching request. */
  next(): boolean
  isSpent(): boolean
}

function arm(fault: Fault): ArmedFault {
  if (!FAULT_KINDS.includes(fault.kind)) {
    throw new Error(`There is no fault '${fault.kind}'. Known: ${FAULT_KINDS.join(', ')}.`)
  }
  const random = seededRandom(fault.seed ?? 1)
  let passes = fault.after ?? 0
  let left = fault.times ?? (fault.probability === undefined ? 1 : Number.POSITIVE_INFINITY)
  return {
    fault,
    next() {
      if (passes > 0) {
        passes -= 1
        return false
      }
      if (fault.probability !== undefined && random() >= fault.probability) return false
      left -= 1
      return true
    },
    isSpent: () => left <= 0,
  }
}

/** The error a fault answers with; `undefined` for those that let the request through and spoil the answer. */
export function faultError(fault: Fault, window: number): ApiError | undefined {
  switch (fault.kind) {
    case 'rate-limit':
      return new ApiError(
        429,
        'rate_limit_error',
        "This request would exceed your account's rate limit. Please try again later.",
        {
          headers: { 'retry-after': String(fault.retryAfter ?? 1) },
        },
      )
    case 'spend-cap':
      return new ApiError(429, 'rate_limit_error', 'This request would exceed the spend limit of your workspace.', {
        code: 'enforced_spend_limit_reached',
      })
    case 'overloaded':
      return new ApiError(529, 'overloaded_error', 'Overloaded')
    case 'internal':
      return new ApiError(500, 'api_error', 'Internal server error')
    case 'timeout':
      return new ApiError(504, 'timeout_error', 'The request timed out.')
    case 'too-long':
      return invalid(`prompt is too long: ${window + 1} tokens > ${window} maximum`)
    case 'compaction-unavailable':
      return new ApiError(529, 'overloaded_error', 'Compaction is temporarily unavailable.', {
        code: 'compaction_unavailable',
      })
  }
  return undefined
}
