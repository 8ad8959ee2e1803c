import type { Draft, HookContext, Id, View } from '@nacre/core'
import type { Parts } from '../parts.js'
import { collapseMarks } from './collapse-marks.js'
import { draftTokens } from './draft-tokens.js'
import { drain } from './drain.js'
import { finishedSpans, type Known } from './finished-spans.js'
import { pieceDraft } from './piece-draft.js'
import type { Summariser } from './summariser.js'
import { spanUnit, type Unit } from './units.js'

/** After a refusal the view has to grow by this much before anything is proposed again. */
const GROWTH = 1.05
const RECENT = 5

/** Folds finished spans one by one, the oldest first, once the view has passed its mark. It waits for nothing. */
export type FoldAhead = (view: View, context: HookContext, isPinned: Known['isPinned']) => void

export function createFoldAhead({ flag, recall }: Parts, summariser: Summariser): FoldAhead {
  const proposed = new Set<Id>()
  let restsUntil = 0

  const propose = (view: View, context: HookContext, draft: Draft, from: Id) => {
    proposed.add(from)
    void context.propose(draft).then((edit) => {
      proposed.delete(from)
      if ('refused' in edit) restsUntil = view.tokens.total * GROWTH
    })
  }

  const foldEach = (view: View, context: HookContext, pieces: readonly DraftedPiece[]) => {
    let left = view.tokens.total
    for (const { draft, frees, from } of pieces) {
      if (left <= collapseMarks(view.tokens).downTo) return
      propose(view, context, draft, from)
      left -= frees
    }
  }

  return (view, context, isPinned) => {
    const { total } = view.tokens
    const marks = collapseMarks(view.tokens)
    if (!flag('collapse') || total < marks.fold || total < restsUntil || proposed.size > 0) return
    const spans = finishedSpans(view, { endOf: (from) => summariser.endOf(view, from), isPinned })
    const summaries = summariser.reader(view)
    // One whose summary may still come is waited for; above the threshold nothing is.
    const end = spans.findIndex((span) => summaries(span) === undefined && !summariser.hasFailed(span))
    const ready = end === -1 ? spans : spans.slice(0, end)
    const pieces = ready.flatMap((span) => draftOf(view, spanUnit(view, span, summaries), recall()))
    const left = total - pieces.reduce((sum, { frees }) => sum + frees, 0)
    if (left <= marks.enough) {
      if (pieces[0] && isEnough(view, pieces[0])) foldEach(view, context, pieces)
    } else if (end === -1) {
      const drained = drain(view, 0, { spans, summaries, isPinned, recall: recall() })
      if (drained) propose(view, context, drained.draft, drained.span.from)
    }
  }
}

interface DraftedPiece {
  readonly draft: Draft
  readonly frees: number
  readonly from: Id
}

function draftOf(view: View, unit: Unit, recall: string | undefined): DraftedPiece[] {
  const draft = pieceDraft(view, unit, collapseMarks(view.tokens).scale, recall)
  const frees = unit.tokens - draftTokens(view, draft)
  return frees > 0 ? [{ draft, frees, from: unit.span.from }] : []
}

/**
 * Whether the first fold will be taken: results that are still to come may be as large as the largest of late, and core
 * refuses a fold that leaves the view above its threshold.
 */
function isEnough({ rounds, tokens }: View, { frees }: DraftedPiece): boolean {
  const toCome = Math.max(0, ...rounds.slice(-RECENT).map((round) => round.tokens))
  return tokens.total + toCome - frees <= tokens.threshold
}
