import { type ErrorCode, type ErrorDetails, isNacreError, NacreError } from '../errors.js'

/** What is read of an error. By its fields and not by its class: a program may hold two copies of the SDK. */
interface Failure {
  readonly name: string
  readonly text: string
  readonly status?: number
  readonly type?: string
  readonly code?: string
  readonly headers?: { get(name: string): string | null }
}

/** Says what went wrong, in the names that the rest of the runtime knows. The only place that reads the API's texts. */
export function classify(error: unknown): NacreError {
  if (isNacreError(error)) return error
  const failure = read(error)
  const [code, details] = judge(failure)
  return new NacreError(code, failure.text, { ...details, cause: error })
}

type Judgement = readonly [ErrorCode, ErrorDetails?]

function judge(failure: Failure): Judgement {
  if (/^(APIUserAbort|Abort)Error$/.test(failure.name)) return ['ABORTED']
  if (failure.status === undefined && failure.type === undefined) return judgeLocal(failure)
  switch (failure.status ?? statusOf(failure.type)) {
    case 401:
    case 403:
      return ['AUTH']
    case 402:
      return ['SPEND_CAP']
    case 404:
      return [/^model\b/.test(failure.text) ? 'UNKNOWN_MODEL' : 'NOT_FOUND']
    case 408:
      return ['NETWORK']
    case 409:
      return ['SERVER']
    case 413:
      return ['REQUEST_TOO_LARGE']
    case 429:
      return judgeLimit(failure)
    case 529:
      return ['OVERLOADED', waitOf(failure)]
  }
  return (failure.status ?? statusOf(failure.type)) >= 500 ? ['SERVER', waitOf(failure)] : judgeRequest(failure.text)
}

/** Errors in the middle of a stream have a type and no status. */
function statusOf(type: string | undefined): number {
  return STATUS[type ?? ''] ?? 500
}

const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  overloaded_error: 529,
}

function judgeLocal({ name, text }: Failure): Judgement {
  if (name === 'SyntaxError') return ['STREAM_CUT']
  if (/authentication|api ?key|credential/i.test(text)) return ['AUTH']
  const isNetwork =
    /^APIConnection/.test(name) || /terminated|fetch failed|socket|network|timed? ?out|ECONN/i.test(text)
  return [isNetwork ? 'NETWORK' : 'INVALID_REQUEST']
}

/** What servers say of a limit of money. Waiting helps against a rate, and not against that. */
const MONEY = /spend(ing)?[ -]?(limit|cap)|usage limits?\b|credit balance|billing|monthly limit/i

function judgeLimit(failure: Failure): Judgement {
  const isCap = failure.code === 'enforced_spend_limit_reached' || (!failure.code && MONEY.test(failure.text))
  return isCap ? ['SPEND_CAP'] : ['RATE_LIMITED', waitOf(failure)]
}

function judgeRequest(text: string): Judgement {
  const long = /prompt is too long: (\d+) tokens > (\d+) maximum/.exec(text)
  if (long) return ['PROMPT_TOO_LONG', { gap: Number(long[1]) - Number(long[2]), limit: Number(long[2]) }]
  const sum = /exceed context limit: (\d+) \+ (\d+) > (\d+)/.exec(text)
  if (sum) {
    const limit = Number(sum[3])
    return ['PROMPT_TOO_LONG', { gap: Number(sum[1]) + Number(sum[2]) - limit, limit }]
  }
  if (/prompt is too long/i.test(text)) return ['PROMPT_TOO_LONG']
  if (/too many (images|documents|pages)|(image|media|pdf)\b.* exceeds?\b/i.test(text)) return ['REQUEST_TOO_LARGE']
  if (/content\.\d+: Invalid `signature` in `(redacted_)?thinking` block/.test(text)) return ['BOUND_THINKING']
  return ['INVALID_REQUEST']
}

/** Seconds to wait. A date is measured by the server's own clock. */
function waitOf({ headers }: Failure): ErrorDetails {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (milliseconds >= 0) return { retryAfter: milliseconds / 1_000 }
  const value = headers?.get('retry-after')
  if (!value) return {}
  const seconds = Number(value)
  const now = Date.parse(headers?.get('date') ?? '')
  const retryAfter = Number.isNaN(seconds) ? (Date.parse(value) - now) / 1_000 : seconds
  return retryAfter >= 0 ? { retryAfter } : {}
}

function read(error: unknown): Failure {
  const from = (typeof error === 'object' && error !== null ? error : { message: String(error) }) as {
    readonly name?: string
    readonly constructor: { readonly name: string }
    readonly message?: string
    readonly apiMessage?: string | null
    readonly status?: number
    readonly type?: string | null
    readonly errorCode?: string | null
    readonly headers?: { get(name: string): string | null }
  }
  const isPlain = from.name === undefined || from.name === 'Error'
  return {
    name: isPlain ? from.constructor.name : (from.name as string),
    text: from.apiMessage ?? from.message ?? from.type ?? 'The call failed.',
    ...(from.status !== undefined && { status: from.status }),
    ...(from.type && { type: from.type }),
    ...(from.errorCode && { code: from.errorCode }),
    ...(from.headers && { headers: from.headers }),
  }
}
