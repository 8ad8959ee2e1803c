import { type Draft, estimateBlock, type Round, type View } from '@nacre/core'

/** Estimates are padded by this much as long as nothing is known of the model. */
const PADDING = 1.35
const LOOKED_AT = 8

/** Tokens of what a draft puts in place of its span. */
export function draftTokens(view: View, { changes }: Draft): number {
  const content = changes.flatMap((change) => (change.kind === 'fold' ? change.content : []))
  const estimate = content.reduce((sum, block) => sum + estimateBlock(block), 0)
  return estimate * tokenFactor(view)
}

/** Real tokens for an estimated one: no round has fewer, and those with notes have more. */
function tokenFactor(view: View): number {
  const factors = view.rounds.slice(-LOOKED_AT).map((round) => factorOf(view, round))
  const known = factors.filter((factor) => Number.isFinite(factor) && factor > 0)
  return known.length > 0 ? Math.min(...known) : PADDING
}

function factorOf(view: View, { tokens, entries, content }: Round): number {
  const shown =
    content ??
    entries.flatMap(({ id, content: blocks }) => blocks.flatMap((_, block) => view.shown({ entry: id, block })))
  return tokens / shown.reduce((sum, block) => sum + estimateBlock(block), 0)
}
