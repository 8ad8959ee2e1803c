import type { Draft, Round, Span, View } from '@nacre/core'
import { lastPromptRound } from '../snip/last-prompt-round.js'
import { collapseMarks } from './collapse-marks.js'
import { draftTokens } from './draft-tokens.js'
import { foldable } from './foldable.js'
import { joinRecords } from './join-records.js'
import { pieceDraft } from './piece-draft.js'
import { runsOf } from './runs-of.js'
import { isCoverable, type Summaries, type Unit, unitsOf } from './units.js'
import { type WorkSpan, workSpan } from './work-span.js'

/** One fold over as many finished parts as are needed. */
export interface Drained {
  readonly draft: Draft
  readonly span: Span
  readonly frees: number
}

export interface DrainOptions {
  readonly spans: readonly WorkSpan[]
  readonly summaries: Summaries
  isPinned(round: Round): boolean
  readonly recall: string | undefined
}

/** A fold that stands for its parts at about this share, before its text is known. */
const GUESS = 0.15
/** All records together take no more than this part of the threshold. */
const RECORDS = 0.2
/** Notes of hooks come with a fold, and sizes are estimates. */
const ROOM = 0.97

/**
 * Folds the oldest parts of a view that is too large, in one edit: core takes none that leaves the view above its
 * threshold. Parts that were folded before stay as they are where that is enough. `undefined` where nothing is. `excess`:
 * what has to go at least.
 */
export function drain(view: View, excess: number, options: DrainOptions): Drained | undefined {
  const { total, threshold } = view.tokens
  const marks = collapseMarks(view.tokens)
  const most = Math.min(threshold * ROOM, total - excess - 1)
  const goal = Math.min(marks.downTo, most)
  let best: (Drained & { readonly after: number }) | undefined
  for (const rounds of candidates(view, options)) {
    const units = unitsOf(view, rounds, options.spans, options.summaries)
    for (const count of counts(units, total - goal)) {
      const drained = foldOf(view, units.slice(0, count), options)
      const after = drained ? total - drained.frees : total
      if (drained && after <= most && after < (best?.after ?? total)) best = { ...drained, after }
      if (best && best.after <= goal) return best
    }
  }
  return best
}

/** What a fold may cover, those first that keep most of the view as it is. */
function candidates(view: View, { isPinned }: DrainOptions): Round[][] {
  const { before, after } = foldable(view)
  const mayFold = (round: Round) => isCoverable(round) && !isPinned(round)
  const prompt = view.rounds[lastPromptRound(view.rounds)]
  const parts = [before, after].flatMap((rounds) => runsOf(rounds, mayFold))
  const fresh = parts.map((run) => run.slice(run.findIndex(({ content }) => !content)))
  const all = prompt && before.length > 0 && after.length > 0 ? runsOf([...before, prompt, ...after], mayFold) : []
  return [...fresh, ...parts, ...all].filter((run) => run.some(({ content }) => !content) || run.length > 1)
}

/** How many parts to try: as many as seem to be enough, then all. */
function counts(units: readonly Unit[], toFree: number): number[] {
  let freed = 0
  const enough = units.findIndex(({ tokens }) => {
    freed += tokens * (1 - GUESS)
    return freed >= toFree
  })
  return enough === -1 || enough === units.length - 1 ? [units.length] : [enough + 1, units.length]
}

function foldOf(view: View, units: readonly Unit[], { recall }: DrainOptions): Drained | undefined {
  const whole = workSpan(units.flatMap(({ rounds }) => rounds))
  if (!whole) return undefined
  const { scale } = collapseMarks(view.tokens)
  const text = joinRecords(units, view.tokens.threshold * RECORDS)
  const isByModel = units.every((unit) => unit.isByModel)
  const dollars = units.reduce((sum, unit) => sum + unit.dollars, 0)
  const { span, tokens } = whole
  const draft = pieceDraft(view, { span, tokens, text, isByModel, dollars }, scale, recall)
  return { draft, span, frees: Math.floor(tokens - draftTokens(view, draft)) }
}
