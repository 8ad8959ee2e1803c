import type { Round, Span, View } from '@nacre/core'

/** The rounds of a view that a span covers. */
export function spanRounds({ rounds }: View, { from, to }: Span): readonly Round[] {
  const first = rounds.findIndex(({ span }) => span.from === from)
  const last = rounds.findIndex(({ span }) => span.to === to)
  return first === -1 || last === -1 ? [] : rounds.slice(first, last + 1)
}
