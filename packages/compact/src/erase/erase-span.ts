import type { BlockRef, Round, Span, View } from '@nacre/core'

/** From the first entry with one of the blocks to the last one, so that the cache is kept up to there. */
export function eraseSpan({ rounds }: View, targets: readonly BlockRef[]): Span | undefined {
  const entries = new Set(targets.map(({ entry }) => entry))
  const ids = rounds.flatMap((round: Round) => round.entries.map(({ id }) => id)).filter((id) => entries.has(id))
  const [first] = ids
  const last = ids.at(-1)
  return first !== undefined && last !== undefined ? { from: first, to: last } : undefined
}
