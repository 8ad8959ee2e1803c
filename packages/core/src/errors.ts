/** Everything that can go wrong, by a name that does not change. */
export type ErrorCode =
  | 'ABORTED'
  | 'AUTH'
  | 'BLOCKED'
  | 'BOUND_THINKING'
  | 'BUDGET_EXCEEDED'
  | 'DUPLICATE_PLUGIN'
  | 'EDIT_REFUSED'
  | 'HOOK_FAILED'
  | 'HOOK_TIMEOUT'
  | 'INVALID_REQUEST'
  | 'INVALID_SETTINGS'
  | 'LIMIT_REACHED'
  | 'MISSING_PLUGIN'
  | 'NETWORK'
  | 'NOT_FOUND'
  | 'OVERLOADED'
  | 'PLUGIN_SETUP_FAILED'
  | 'PROMPT_TOO_LONG'
  | 'RATE_LIMITED'
  | 'REFUSED'
  | 'REQUEST_TOO_LARGE'
  | 'SERVER'
  | 'SESSION_BUSY'
  | 'SESSION_NOT_FOUND'
  | 'SPEND_CAP'
  | 'STORE_CORRUPT'
  | 'STORE_UNWRITABLE'
  | 'STREAM_CUT'
  | 'UNKNOWN_FLAG'
  | 'UNKNOWN_MODEL'

export interface ErrorDetails {
  readonly cause?: unknown
  /** The plugin at fault, where one is. */
  readonly plugin?: string
  readonly hook?: string
  /** Seconds the server asked to wait. */
  readonly retryAfter?: number
  /** Tokens over the limit, and the limit itself, where the server named them. */
  readonly gap?: number
  readonly limit?: number
  /** The name of whoever holds what was asked for. */
  readonly holder?: string
}

const BRAND = Symbol.for('nacre.error')

/** The one error of all packages. Recognised by a brand, so that two copies of core know each other's. */
export class NacreError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails
  readonly [BRAND] = true

  /** `message` says what is wrong and what to do about it. */
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'NacreError'
    this.code = code
    this.details = details
  }
}

export function isNacreError(value: unknown, code?: ErrorCode): value is NacreError {
  const isOurs = typeof value === 'object' && value !== null && BRAND in value
  return isOurs && (code === undefined || (value as NacreError).code === code)
}
