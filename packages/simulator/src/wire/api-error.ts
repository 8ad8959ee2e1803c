import type { Json } from './messages.js'

type ApiErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'api_error'
  | 'timeout_error'
  | 'overloaded_error'

interface ApiErrorOptions {
  readonly code?: string
  readonly details?: { readonly [key: string]: Json }
  readonly headers?: Readonly<Record<string, string>>
}

/** An error as the API answers it: a status, a type, a text, and now and then a stable code. */
export class ApiError extends Error {
  readonly status: number
  readonly type: ApiErrorType
  readonly options: ApiErrorOptions

  constructor(status: number, type: ApiErrorType, message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.type = type
    this.options = options
  }
}

/** The 400 that most rules end in. */
export function invalid(message: string, options?: ApiErrorOptions): ApiError {
  return new ApiError(400, 'invalid_request_error', message, options)
}

/** The body the API sends for an error, on its own or as the data of an `error` event. */
export function errorBody(error: ApiError, requestId: string): Json {
  const { code, details } = error.options
  const inner: Record<string, Json> = { type: error.type, message: error.message }
  if (code !== undefined || details !== undefined) inner.details = { ...(code && { error_code: code }), ...details }
  return { type: 'error', error: inner, request_id: requestId }
}
