import type { Round, Span } from '@nacre/core'

/** A finished piece of work: neighbouring rounds that one fold can stand for. */
export interface WorkSpan {
  readonly rounds: readonly Round[]
  readonly span: Span
  readonly tokens: number
}

/** Rounds as one span; `undefined` where there are none. */
export function workSpan(rounds: readonly Round[]): WorkSpan | undefined {
  const first = rounds[0]
  const last = rounds.at(-1)
  if (!first || !last) return undefined
  const tokens = rounds.reduce((sum, round) => sum + round.tokens, 0)
  return { rounds, span: { from: first.span.from, to: last.span.to }, tokens }
}
