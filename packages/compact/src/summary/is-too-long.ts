import { isNacreError, type NacreError } from '@nacre/core'

/** Whether a request was refused for its size. */
export function isTooLong(error: unknown): error is NacreError {
  return isNacreError(error, 'PROMPT_TOO_LONG') || isNacreError(error, 'REQUEST_TOO_LARGE')
}
