import type { View } from '../contract/view.js'
import type { Fold } from '../log/edit.js'
import { isComplete } from '../log/round.js'
import { estimateBlock } from '../tokens/estimate-block.js'
import type { Projection } from '../view/projection.js'

/** What a fold does to the size of the view, in tokens; `undefined` when its span is not one of the view. */
export interface FoldSize {
  readonly before: number
  /** What it covers, and what stands for it. */
  readonly covered: number
  readonly content: number
  /** What follows it and stays. */
  readonly behind: number
  readonly startsView: boolean
  /** Whether the last complete round falls into it, and how large that is. */
  readonly lastRound: number | undefined
}

export function foldSize(
  view: View,
  projection: Projection,
  fold: Fold,
  tokens: (estimate: number) => number,
): FoldSize | undefined {
  const first = view.rounds.findIndex(({ span }) => span.from === fold.span.from)
  const last = view.rounds.findIndex(({ span }) => span.to === fold.span.to)
  if (first === -1 || last < first) return undefined
  const sum = (from: number, to?: number) => view.rounds.slice(from, to).reduce((all, round) => all + round.tokens, 0)
  const end = projection.timeline.rounds.findLast(isComplete)?.entries.at(-1)?.id
  const lastRound = view.rounds.slice(first, last + 1).find(({ span, entries }) => span.to === end && entries.length)
  return {
    before: view.tokens.total,
    covered: sum(first, last + 1),
    content: tokens(fold.content.reduce((all, block) => all + estimateBlock(block), 0)),
    behind: sum(last + 1),
    startsView: first === 0,
    lastRound: lastRound?.tokens,
  }
}
