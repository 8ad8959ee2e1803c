import { estimateText, type HookContext, type Id, type Offer, type Relief, type Round, type View } from '@nacre/core'
import { defineLayer, type LayerContext } from '../layer/layer.js'
import { cutLine } from '../text/format.js'
import { lastPromptRound } from '../view/rounds.js'
import {
  type CollapseMarks,
  collapseMarks,
  finishedParts,
  finishedSpans,
  runsOf,
  type WorkSpan,
  workSpan,
} from './finished-spans.js'
import { foldUnit, isCoverable, type Summaries, spanUnit, type Unit, type UnitFold, unitsOf } from './records.js'
import { createSummariser, type Summariser } from './summariser.js'

/** Finished spans of work are summarised in the background and folded one by one, in place of automatic summaries. */
export const collapse = defineLayer('collapse', { collapse: false }, (layer) => {
  const summariser = createSummariser(layer)
  const foldAhead = createFoldAhead(layer, summariser)
  return {
    reliefs: [drainRelief(layer, summariser)],
    hooks: {
      PostModelCall({ view }, context) {
        if (!layer.flag('collapse')) return
        summariser.start(view, context)
        foldAhead(view, context)
      },
      SessionEnd: () => summariser.stop(),
    },
  }
})

/** Folds finished spans when the view is too large after all: before any summary, and without waiting for the model. */
function drainRelief({ flag, recall, model }: LayerContext, summariser: Summariser): Relief {
  return {
    name: 'collapse',
    rung: 'notes',
    compacts: () => flag('collapse'),
    offer(view, need): Offer | undefined {
      if (!flag('collapse') || need.pressure === 'idle' || need.trigger === 'manual') return undefined
      const isPinned = ({ span }: Round) => need.trigger === 'auto' && view.isPinned(span)
      const endOf = (from: string) => summariser.endOf(view, from)
      const spans = finishedSpans(view, { endOf, isPinned })
      const summaries = summariser.reader(view)
      const marks = collapseMarks(view, model)
      const drained = drain(view, need.excess, { spans, summaries, isPinned, marks, recall: recall() })
      if (!drained || drained.frees <= 0) return undefined
      const { draft, span, frees } = drained
      return { span, frees, dollars: 0, draft: () => draft }
    },
  }
}

/** After a refusal the view has to grow by this much before anything is proposed again. */
const GROWTH = 1.05

/** Folds finished spans one by one, the oldest first, once the view has passed its mark. It waits for nothing. */
type FoldAhead = (view: View, context: HookContext) => void

function createFoldAhead({ recall, model }: LayerContext, summariser: Summariser): FoldAhead {
  const proposed = new Set<Id>()
  let restsUntil = 0

  const propose = (view: View, context: HookContext, { draft, span }: UnitFold) => {
    proposed.add(span.from)
    void context.propose(draft).then((edit) => {
      proposed.delete(span.from)
      if ('refused' in edit) restsUntil = view.tokens.total * GROWTH
    })
  }

  const foldEach = (view: View, context: HookContext, pieces: readonly UnitFold[], downTo: number) => {
    let left = view.tokens.total
    for (const piece of pieces) {
      if (left <= downTo) return
      propose(view, context, piece)
      left -= piece.frees
    }
  }

  return (view, context) => {
    const { total } = view.tokens
    const marks = collapseMarks(view, model)
    const isPinned = ({ span }: Round) => view.isPinned(span)
    if (total < marks.fold || total < restsUntil || proposed.size > 0) return
    const spans = finishedSpans(view, { endOf: (from) => summariser.endOf(view, from), isPinned })
    const summaries = summariser.reader(view)
    // One whose summary may still come is waited for; above the threshold nothing is.
    const end = spans.findIndex((span) => summaries(span) === undefined && !summariser.hasFailed(span))
    const ready = end === -1 ? spans : spans.slice(0, end)
    const pieces = ready
      .map((span) => foldUnit(view, spanUnit(view, span, summaries), recall()))
      .filter(({ frees }) => frees > 0)
    const left = total - pieces.reduce((sum, { frees }) => sum + frees, 0)
    if (left <= marks.enough) {
      if (pieces[0] && isEnough(view, pieces[0])) foldEach(view, context, pieces, marks.downTo)
    } else if (end === -1) {
      const drained = drain(view, 0, { spans, summaries, isPinned, marks, recall: recall() })
      if (drained) propose(view, context, drained)
    }
  }
}

const RECENT = 5

/**
 * Whether the first fold will be taken: results that are still to come may be as large as the largest of late, and core
 * refuses a fold that leaves the view above its threshold.
 */
function isEnough({ rounds, tokens }: View, { frees }: UnitFold): boolean {
  const toCome = Math.max(0, ...rounds.slice(-RECENT).map((round) => round.tokens))
  return tokens.total + toCome - frees <= tokens.threshold
}

interface DrainOptions {
  readonly spans: readonly WorkSpan[]
  readonly summaries: Summaries
  isPinned(round: Round): boolean
  readonly marks: CollapseMarks
  readonly recall: string | undefined
}

/** Notes of hooks come with a fold, and sizes are estimates. */
const ROOM = 0.97

/**
 * Folds the oldest parts of a view that is too large, in one edit: core takes none that leaves the view above its
 * threshold. Parts that were folded before stay as they are where that is enough. `undefined` where nothing is. `excess`:
 * what has to go at least.
 */
function drain(view: View, excess: number, options: DrainOptions): UnitFold | undefined {
  const { total, threshold } = view.tokens
  const most = Math.min(threshold * ROOM, total - excess - 1)
  const goal = Math.min(options.marks.downTo, most)
  let best: (UnitFold & { readonly after: number }) | undefined
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
  const { before, after } = finishedParts(view)
  const mayFold = (round: Round) => isCoverable(round) && !isPinned(round)
  const prompt = view.rounds[lastPromptRound(view.rounds)]
  const parts = [before, after].flatMap((rounds) => runsOf(rounds, mayFold))
  const fresh = parts.map((run) => run.slice(run.findIndex(({ content }) => !content)))
  const all = prompt && before.length > 0 && after.length > 0 ? runsOf([...before, prompt, ...after], mayFold) : []
  return [...fresh, ...parts, ...all].filter((run) => run.some(({ content }) => !content) || run.length > 1)
}

/** A fold that stands for its parts at about this share, before its text is known. */
const GUESS = 0.15

/** How many parts to try: as many as seem to be enough, then all. */
function counts(units: readonly Unit[], toFree: number): number[] {
  let freed = 0
  const enough = units.findIndex(({ tokens }) => {
    freed += tokens * (1 - GUESS)
    return freed >= toFree
  })
  return enough === -1 || enough === units.length - 1 ? [units.length] : [enough + 1, units.length]
}

/** All records together take no more than this part of the threshold. */
const RECORDS = 0.2

function foldOf(view: View, units: readonly Unit[], { recall }: DrainOptions): UnitFold | undefined {
  const whole = workSpan(units.flatMap(({ rounds }) => rounds))
  if (!whole) return undefined
  const text = joinRecords(units, view.tokens.threshold * RECORDS)
  const isByModel = units.every((unit) => unit.isByModel)
  const dollars = units.reduce((sum, unit) => sum + unit.dollars, 0)
  const fold = foldUnit(view, { ...whole, text, isByModel, dollars }, recall)
  return { ...fold, frees: Math.floor(fold.frees) }
}

const SHORT = 160

/** The records of parts as one text within that many tokens: the newest whole, the older in a line, the oldest not at all. */
function joinRecords(units: readonly Unit[], budget: number): string {
  if (units.length === 1) return units[0]?.text ?? ''
  let left = budget
  const kept = units.toReversed().flatMap(({ text, span }) => {
    const mark = `[from entry ${span.from}] `
    // Records that were joined before begin with it.
    const own = text.startsWith(mark) ? text.slice(mark.length) : text
    const forms = [`${mark}${own}`, `${mark}${cutLine(own, SHORT)}`]
    const form = forms.find((each) => estimateText(each) <= left)
    left -= form === undefined ? left : estimateText(form)
    return form === undefined ? [] : [form]
  })
  const gone = units.length - kept.length
  const head = gone === 0 ? [] : [`[the records of ${gone} earlier parts are left out]`]
  return [...head, ...kept.reverse()].join('\n\n')
}
