import { ApiError } from '../wire/api-error.js'
import type { Clock } from './clock.js'
import type { Headers } from './respond.js'

export interface RateLimits {
  readonly requests?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
}

/** By organisation, refilled evenly over a minute of the simulator's clock. */
export interface RateLimiter {
  /** Refuses what is over the limit, else gives the headers. Tokens read from the cache do not count. */
  take(organization: string, model: string, inputTokens: number, outputTokens: number): Headers
  headers(organization: string): Headers
}

const DEFAULTS = { requests: 4_000, inputTokens: 2_000_000, outputTokens: 400_000 }
const MINUTE = 60_000
const NAMES = { requests: 'requests', inputTokens: 'input tokens', outputTokens: 'output tokens' } as const
type Kind = keyof typeof NAMES
const KINDS = Object.keys(NAMES) as Kind[]
type Usage = Record<Kind, number> & { time: number }

/** Limits that were not asked for are shown in the headers, but never refuse a request. */
export function rateLimiter(limits: RateLimits, clock: Clock): RateLimiter {
  const used = new Map<string, Usage>()
  const all: Record<Kind, number> = { ...DEFAULTS, ...limits }
  const limited = KINDS.filter((kind) => limits[kind] !== undefined)
  const headersOf = limitHeaders(all)

  const current = (organization: string) => {
    const now = clock.now()
    let usage = used.get(organization)
    if (!usage) {
      usage = { requests: 0, inputTokens: 0, outputTokens: 0, time: now }
      used.set(organization, usage)
    }
    if (now === usage.time) return usage
    const passed = Math.max(0, now - usage.time) / MINUTE
    usage.requests = Math.max(0, usage.requests - passed * all.requests)
    usage.inputTokens = Math.max(0, usage.inputTokens - passed * all.inputTokens)
    usage.outputTokens = Math.max(0, usage.outputTokens - passed * all.outputTokens)
    usage.time = now
    return usage
  }

  return {
    take(organization, model, inputTokens, outputTokens) {
      const usage = current(organization)
      const wanted = { requests: 1, inputTokens, outputTokens }
      for (const kind of limited) {
        if (usage[kind] + wanted[kind] > all[kind]) {
          throw overLimit(kind, all[kind], usage[kind] + wanted[kind], organization, model)
        }
      }
      usage.requests += 1
      usage.inputTokens += inputTokens
      usage.outputTokens += outputTokens
      return headersOf(usage)
    },
    headers: (organization) => headersOf(current(organization)),
  }
}

/** How much is left, as headers; what never changes is made into text once. */
function limitHeaders(all: Record<Kind, number>): (usage: Usage) => Headers {
  const resetAt = textOfSecond()
  const requestLimit = String(all.requests)
  const inputLimit = String(all.inputTokens)
  const outputLimit = String(all.outputTokens)
  const tokenLimit = String(all.inputTokens + all.outputTokens)
  return (usage) => {
    const requests = Math.max(0, all.requests - usage.requests)
    const input = Math.max(0, all.inputTokens - usage.inputTokens)
    const output = Math.max(0, all.outputTokens - usage.outputTokens)
    const reset = resetAt(usage.time + MINUTE)
    // biome-ignore format: a name and its value stand on one line
    return [
      'anthropic-ratelimit-requests-limit', requestLimit,
      'anthropic-ratelimit-requests-remaining', String(Math.floor(requests)),
      'anthropic-ratelimit-requests-reset', reset,
      'anthropic-ratelimit-input-tokens-limit', inputLimit,
      'anthropic-ratelimit-input-tokens-remaining', rounded(input),
      'anthropic-ratelimit-input-tokens-reset', reset,
      'anthropic-ratelimit-output-tokens-limit', outputLimit,
      'anthropic-ratelimit-output-tokens-remaining', rounded(output),
      'anthropic-ratelimit-output-tokens-reset', reset,
      'anthropic-ratelimit-tokens-limit', tokenLimit,
      'anthropic-ratelimit-tokens-remaining', rounded(input + output),
      'anthropic-ratelimit-tokens-reset', reset,
    ]
  }
}

const rounded = (tokens: number) => String(Math.round(tokens / 1000) * 1000)

/** A moment as text, made anew only when another second is asked for. */
function textOfSecond(): (time: number) => string {
  let second = Number.NaN
  let text = ''
  return (time) => {
    const asked = Math.floor(time / 1000)
    if (asked !== second) {
      second = asked
      text = new Date(asked * 1000).toISOString().replace('.000Z', 'Z')
    }
    return text
  }
}

function overLimit(kind: Kind, limit: number, wanted: number, organization: string, model: string): ApiError {
  const seconds = Math.max(1, Math.ceil(((wanted - limit) / limit) * 60))
  return new ApiError(
    429,
    'rate_limit_error',
    `This request would exceed your organization's rate limit of ${limit.toLocaleString('en-US')} ${NAMES[kind]} per minute (org: ${organization}, model: ${model}). For details, refer to: https://docs.claude.com/en/api/rate-limits. You can see the response headers for current usage. Please reduce the prompt length or the maximum tokens requested, or try again later.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}
