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
  | 'STORE_UNREADABLE'
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

  /** For `JSON.stringify`, which leaves out what makes an error: its message, and the chain of its causes. */
  toJSON(): ErrorJson {
    return errorJson(this, MOST_CAUSES)
  }
}

/** An error as text formats have it. */
export interface ErrorJson {
  readonly name: string
  readonly message: string
  readonly code?: string | number
  readonly details?: Omit<ErrorDetails, 'cause'>
  readonly cause?: ErrorJson | string
}

/** A cause may lead back to itself. */
const MOST_CAUSES = 8

function errorJson(error: Error & { readonly code?: unknown }, causes: number): ErrorJson {
  const { name, message, code, cause } = error
  const { cause: _, ...details } = isNacreError(error) ? error.details : {}
  return {
    name,
    message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(Object.keys(details).length > 0 && { details }),
    ...(cause !== undefined && causes > 0 && { cause: causeJson(cause, causes - 1) }),
  }
}

function causeJson(cause: unknown, causes: number): ErrorJson | string {
  return cause instanceof Error ? errorJson(cause, causes) : String(cause)
}

export function isNacreError(value: unknown, code?: ErrorCode): value is NacreError {
  const isOurs = typeof value === 'object' && value !== null && BRAND in value
  return isOurs && (code === undefined || (value as NacreError).code === code)
}

const WORDLESS = 'it did not say why'

/** What was thrown, in words. Anything can be thrown, so nothing is taken for granted: whoever asks must not throw itself. */
export function messageOf(thrown: unknown): string {
  try {
    const words = typeof thrown === 'string' ? thrown : (Object(thrown) as { readonly message?: unknown }).message
    if (typeof words === 'string' && words.trim() !== '') return words
    return thrown === undefined || typeof thrown === 'string' || thrown instanceof Error
      ? WORDLESS
      : `${WORDLESS}, and threw ${shown(thrown)}`
  } catch {
    return WORDLESS
  }
}

const SHOWN = 80

/** A value as it stands in a sentence about what was given instead of what should have been. */
export function shown(value: unknown): string {
  try {
    if (typeof value === 'function') return 'a function'
    if (typeof (value as { readonly then?: unknown } | null)?.then === 'function') return 'a promise'
    const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))
    return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  } catch {
    return 'something that can not be read'
  }
}
