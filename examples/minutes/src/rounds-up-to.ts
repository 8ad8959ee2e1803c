import type { Round, Span, View } from '@nacre/core'

/** The rounds from the first one up to an entry. The last answered round is left out: it stays as it is. */
export function roundsUpTo({ rounds }: View, entry: string): readonly Round[] {
  const at = rounds.findIndex(({ span, entries }) => span.to === entry || entries.some(({ id }) => id === entry))
  const lastAnswered = rounds.findLastIndex(({ entries }) => entries.some(({ kind }) => kind === 'assistant'))
  return rounds.slice(0, Math.min(at + 1, lastAnswered))
}

/** The span of neighbouring rounds. */
export function spanOf(rounds: readonly Round[]): Span | undefined {
  const [first, last] = [rounds.at(0), rounds.at(-1)]
  return first && last && { from: first.span.from, to: last.span.to }
}
