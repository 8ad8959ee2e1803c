import type { Spent } from '@nacre/core'
import type { Result } from './schema/result-schema.js'

/** What was spent between two looks at the totals of a session. */
export function usageSince(before: Spent, after: Spent): Result['usage'] {
  return {
    input: after.input - before.input,
    output: after.output - before.output,
    cacheRead: after.cacheRead - before.cacheRead,
    cacheWrite5m: after.cacheWrite5m - before.cacheWrite5m,
    cacheWrite1h: after.cacheWrite1h - before.cacheWrite1h,
    // Sums of floats: a difference of nothing must not come out as less than nothing.
    dollars: Math.max(0, after.dollars - before.dollars),
    requests: after.requests - before.requests,
  }
}

/** Where no session was. */
export const NOTHING_SPENT: Spent = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  dollars: 0,
  requests: 0,
}
