import { type Block, estimateBlock, type Round, type View } from '@nacre/core'

const known = new WeakMap<Round, number>()
const LEAST = 300

/**
 * Real tokens for each token of an estimate, as the view has calibrated them. Notes make a round larger than its blocks,
 * so the smallest of all is the right one.
 */
export function tokenFactor(view: View): number {
  let factor = Number.POSITIVE_INFINITY
  for (const round of view.rounds) {
    const size = known.get(round) ?? estimate(view, round)
    known.set(round, size)
    if (size >= LEAST) factor = Math.min(factor, round.tokens / size)
  }
  return Number.isFinite(factor) ? factor : 1
}

function estimate(view: View, { entries, content }: Round): number {
  if (content) return sizeOf(content)
  return entries.reduce(
    (sum, { id, content: blocks }) =>
      sum + blocks.reduce((own, _, block) => own + sizeOf(view.shown({ entry: id, block })), 0),
    0,
  )
}

function sizeOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + estimateBlock(block), 0)
}
