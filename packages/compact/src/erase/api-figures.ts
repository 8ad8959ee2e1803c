import type { View } from '@nacre/core'

const FULL_WINDOW = 200_000
const TRIGGER = 180_000
const LEAST = 140_000
/** Before a fold would come. */
const BELOW_THRESHOLD = 0.9

/** From how many tokens on the API is to clear, and how many it has to free at least. */
export function apiFigures({ tokens: { window, threshold } }: View): {
  readonly trigger: number
  readonly least: number
} {
  const scaled = TRIGGER * Math.min(1, window / FULL_WINDOW)
  const trigger = Math.min(scaled, threshold * BELOW_THRESHOLD)
  return { trigger, least: (LEAST * trigger) / TRIGGER }
}
