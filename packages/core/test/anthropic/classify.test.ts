import { describe, expect, it } from 'vitest'
import { classify } from '../../src/anthropic/classify.js'
import { type ErrorCode, NacreError } from '../../src/errors.js'

const api = (status: number | undefined, type: string | undefined, apiMessage: string, more: object = {}) => ({
  name: 'APIError',
  status,
  type,
  apiMessage,
  headers: new Headers(),
  ...more,
})
const wait = (headers: Record<string, string>) => ({ headers: new Headers(headers) })
const bad = (text: string) => api(400, 'invalid_request_error', text)

const cases: [error: unknown, code: ErrorCode, details?: object][] = [
  [bad('prompt is too long: 1000123 tokens > 1000000 maximum'), 'PROMPT_TOO_LONG', { gap: 123, limit: 1_000_000 }],
  [
    bad(
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    ),
    'PROMPT_TOO_LONG',
    { gap: 9_573, limit: 200_000 },
  ],
  [bad('Prompt is too long'), 'PROMPT_TOO_LONG'],
  [bad('messages: too many images and documents: 101 + 0 > 100'), 'REQUEST_TOO_LARGE'],
  [
    bad('messages.3.content.0.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes'),
    'REQUEST_TOO_LARGE',
  ],
  [
    bad(
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.',
    ),
    'BOUND_THINKING',
  ],
  [bad('messages.7.content.2: Invalid `signature` in `redacted_thinking` block'), 'BOUND_THINKING'],
  [bad('messages: text content blocks must be non-empty'), 'INVALID_REQUEST'],
  [api(422, undefined, 'no'), 'INVALID_REQUEST'],
  [api(413, 'request_too_large', 'Request exceeds the maximum size'), 'REQUEST_TOO_LARGE'],
  [api(401, 'authentication_error', 'invalid x-api-key'), 'AUTH'],
  [api(403, 'permission_error', 'no'), 'AUTH'],
  [api(402, 'billing_error', 'no'), 'SPEND_CAP'],
  [api(404, 'not_found_error', 'model: claude-none'), 'UNKNOWN_MODEL'],
  [api(404, 'not_found_error', 'Not found'), 'NOT_FOUND'],
  [api(408, undefined, 'late'), 'NETWORK'],
  [api(409, 'conflict_error', 'later'), 'SERVER'],
  [api(429, 'rate_limit_error', 'slow', wait({ 'retry-after': '12' })), 'RATE_LIMITED', { retryAfter: 12 }],
  [api(429, 'rate_limit_error', 'slow', wait({ 'retry-after-ms': '250' })), 'RATE_LIMITED', { retryAfter: 0.25 }],
  [
    api(
      429,
      'rate_limit_error',
      'slow',
      wait({ 'retry-after': 'Mon, 16 Nov 2026 10:00:30 GMT', date: 'Mon, 16 Nov 2026 10:00:00 GMT' }),
    ),
    'RATE_LIMITED',
    { retryAfter: 30 },
  ],
  [api(429, 'rate_limit_error', 'ramp', { errorCode: 'ramp_limit_exceeded' }), 'RATE_LIMITED'],
  [api(429, 'rate_limit_error', 'slow'), 'RATE_LIMITED'],
  [api(429, 'rate_limit_error', 'This would exceed your monthly spend limit.'), 'SPEND_CAP'],
  [
    api(429, 'rate_limit_error', 'cap', { ...wait({ 'retry-after': '9' }), errorCode: 'enforced_spend_limit_reached' }),
    'SPEND_CAP',
  ],
  [api(529, 'overloaded_error', 'Overloaded', wait({ 'retry-after': '3' })), 'OVERLOADED', { retryAfter: 3 }],
  [api(500, 'api_error', 'Internal server error'), 'SERVER'],
  [api(503, undefined, 'no'), 'SERVER'],
  [api(undefined, 'overloaded_error', 'Overloaded'), 'OVERLOADED'],
  [api(undefined, 'api_error', 'Internal server error'), 'SERVER'],
  [api(undefined, 'rate_limit_error', 'slow'), 'RATE_LIMITED'],
  [api(undefined, 'invalid_request_error', 'no'), 'INVALID_REQUEST'],
  [Object.assign(new Error('Connection error.'), { name: 'APIConnectionError' }), 'NETWORK'],
  [Object.assign(new Error('Request timed out.'), { name: 'APIConnectionTimeoutError' }), 'NETWORK'],
  [Object.assign(new Error('Request was aborted.'), { name: 'APIUserAbortError' }), 'ABORTED'],
  [new DOMException('This operation was aborted', 'AbortError'), 'ABORTED'],
  [new TypeError('terminated'), 'NETWORK'],
  [new TypeError('fetch failed'), 'NETWORK'],
  [new SyntaxError('Unexpected end of JSON input'), 'STREAM_CUT'],
  [new Error('Could not resolve authentication method.'), 'AUTH'],
  [new Error('something else'), 'INVALID_REQUEST'],
  ['a string', 'INVALID_REQUEST'],
]

describe('an error', () => {
  it.each(cases)('%o becomes %s', (error, code, details = {}) => {
    const classified = classify(error)
    expect(classified).toBeInstanceOf(NacreError)
    expect(classified).toMatchObject({ code, details: { ...details, cause: error } })
  })

  it('that is ours already stays as it is', () => {
    const error = new NacreError('STREAM_CUT', 'cut')
    expect(classify(error)).toBe(error)
  })
})
