import { ApiError } from './api-error.js'
import type { Clock } from './clock.js'

export interface RateLimits {
  readonly requests?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
}

/** By organisation, refilled evenly over a minute of the simulator's clock. */
export interface RateLimiter {
  /** Refuses what is over the limit. Tokens read from the cache do not count. */
  take(organization: string, model: string, inputTokens: number, outputTokens: number): void
  headers(organization: string): Readonly<Record<string, string>>
}

const DEFAULTS = { requests: 4_000, inputTokens: 2_000_000, outputTokens: 400_000 }
const MINUTE = 60_000
const NAMES = { requests: 'requests', inputTokens: 'input tokens', outputTokens: 'output tokens' } as const
type Kind = keyof typeof NAMES
const KINDS = Object.keys(NAMES) as Kind[]

/** Limits that were not asked for are shown in the headers, but never refuse a request. */
export function rateLimiter(limits: RateLimits, clock: Clock): RateLimiter {
  const used = new Map<string, Record<Kind, number> & { time: number }>()
  const limitOf = (kind: Kind) => limits[kind] ?? DEFAULTS[kind]

  const current = (organization: string) => {
    const usage = used.get(organization) ?? { requests: 0, inputTokens: 0, outputTokens: 0, time: clock.now() }
    used.set(organization, usage)
    const passed = Math.max(0, clock.now() - usage.time)
    for (const kind of KINDS) usage[kind] = Math.max(0, usage[kind] - (passed / MINUTE) * limitOf(kind))
    usage.time = clock.now()
    return usage
  }

  return {
    take(organization, model, inputTokens, outputTokens) {
      const usage = current(organization)
      const wanted = { requests: 1, inputTokens, outputTokens }
      for (const kind of KINDS) {
        if (limits[kind] !== undefined && usage[kind] + wanted[kind] > limitOf(kind)) {
          throw overLimit(kind, limitOf(kind), usage[kind] + wanted[kind], organization, model)
        }
      }
      for (const kind of KINDS) usage[kind] += wanted[kind]
    },
    headers(organization) {
      const usage = current(organization)
      const reset = new Date(clock.now() + MINUTE).toISOString()
      const set = (name: string, limit: number, left: number, rounded: boolean) => ({
        [`anthropic-ratelimit-${name}-limit`]: String(limit),
        [`anthropic-ratelimit-${name}-remaining`]: String(rounded ? Math.round(left / 1000) * 1000 : Math.floor(left)),
        [`anthropic-ratelimit-${name}-reset`]: reset,
      })
      const left = (kind: Kind) => Math.max(0, limitOf(kind) - usage[kind])
      return {
        ...set('requests', limitOf('requests'), left('requests'), false),
        ...set('input-tokens', limitOf('inputTokens'), left('inputTokens'), true),
        ...set('output-tokens', limitOf('outputTokens'), left('outputTokens'), true),
        ...set(
          'tokens',
          limitOf('inputTokens') + limitOf('outputTokens'),
          left('inputTokens') + left('outputTokens'),
          true,
        ),
      }
    },
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
