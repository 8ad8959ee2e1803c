/** Token figures for a window of 200,000 tokens; smaller windows scale them down. */
export const FIGURES = {
  /** Context at which the first notes are written. */
  first: 10_000,
  /** What has to come in before the next update. */
  growth: 5_000,
  section: 2_000,
  total: 12_000,
  keepAtLeast: 10_000,
  keepAtMost: 40_000,
} as const

export const CALLS_BETWEEN = 3
export const MESSAGES_KEPT = 5
/** Milliseconds that a compaction waits for a running update, and after which it waits no more. */
export const WAIT = 15_000
export const DEAD = 60_000
/** Milliseconds after which an update is given up. */
export const GIVEN_UP = 300_000
export const FAILURES = 3

const FULL_WINDOW = 200_000

/** What token figures are multiplied with. */
export function scaleOf(window: number): number {
  return Math.min(1, window / FULL_WINDOW)
}
