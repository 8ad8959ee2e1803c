import { estimateBlock, type Need, type Round, type Span, type View } from '@nacre/core'

/** How large a fold may be, in estimated tokens. */
export interface FoldLimits {
  readonly rounds: readonly Round[]
  /** What it covers, in real tokens. */
  readonly covered: number
  /** Above it core refuses: not smaller than what it covers, or the view still above the threshold. */
  readonly most: number
  /** So that something is gained, and hooks have room for their notes. */
  readonly good: number
}

const GAIN = 0.8
const NOTES = 0.9
/** Estimates are padded by this much as long as nothing is known of the model. */
const PADDING = 4 / 3

/** What the threshold, and the gap that an overflow names, leave for a fold of that span. */
export function foldLimits(view: View, { from, to }: Span, { pressure, excess }: Need): FoldLimits {
  const first = view.rounds.findIndex(({ span }) => span.from === from)
  const last = view.rounds.findIndex(({ span }) => span.to === to)
  const rounds = first === -1 ? [] : view.rounds.slice(first, last + 1)
  const covered = rounds.reduce((sum, { tokens }) => sum + tokens, 0)
  const { total, threshold } = view.tokens
  const toFree = pressure === 'overflow' && excess < covered ? Math.max(1, excess) : 1
  const room = Math.min(covered - toFree, threshold - (total - covered))
  const factor = tokenFactor(view)
  return {
    rounds,
    covered,
    // One less for what is rounded up.
    most: (room - 1) / factor,
    good: Math.min(room * NOTES, covered * GAIN) / factor,
  }
}

/** Real tokens for an estimated one, as most of the view has it: rounds with notes have more, those with erased blocks fewer. */
function tokenFactor(view: View): number {
  const known = view.rounds.flatMap(({ tokens, entries, content }) => {
    const shown =
      content ?? entries.flatMap((entry) => entry.content.flatMap((_, block) => view.shown({ entry: entry.id, block })))
    const estimate = shown.reduce((sum, block) => sum + estimateBlock(block), 0)
    return estimate > 0 ? [{ factor: tokens / estimate, estimate }] : []
  })
  let half = known.reduce((sum, { estimate }) => sum + estimate, 0) / 2
  for (const { factor, estimate } of known.sort((a, b) => a.factor - b.factor)) {
    half -= estimate
    if (half <= 0) return factor
  }
  return PADDING
}
