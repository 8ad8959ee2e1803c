import type { Round, View } from '@nacre/core'
import { snipLine } from '../snip/snip-note.js'
import { isPieceFrame } from './piece-draft.js'
import { standIn } from './stand-in.js'
import { type WorkSpan, workSpan } from './work-span.js'

/** A part of the view with the record that can stand for it. */
export interface Unit extends WorkSpan {
  readonly text: string
  readonly isByModel: boolean
  readonly dollars: number
}

/** Gives the record of a span where the model has written one. */
export type Summaries = (span: WorkSpan) => { readonly text: string; readonly dollars: number } | undefined

/** Whether a round can be covered by another fold: whole, folded here before, or a note in place of what was snipped. */
export function isCoverable({ content }: Round): boolean {
  if (!content) return true
  return isPieceFrame(content[0]?.text) || (content.length === 1 && content[0]?.type === 'text')
}

/** Neighbouring rounds as parts: spans that are known, what was folded before, and the rest with a record of its own. */
export function unitsOf(
  view: View,
  rounds: readonly Round[],
  spans: readonly WorkSpan[],
  summaries: Summaries,
): Unit[] {
  const known = new Map(spans.map((span) => [span.span.from, span]))
  const units: Unit[] = []
  let rest: Round[] = []
  const close = () => {
    const span = workSpan(rest)
    if (span) units.push({ ...span, text: standIn(view, rest), isByModel: false, dollars: 0 })
    rest = []
  }
  for (let index = 0; index < rounds.length; index++) {
    const round = rounds[index] as Round
    const span = known.get(round.span.from)
    if (!span && !round.content) {
      rest.push(round)
      continue
    }
    close()
    const unit = round.content ? foldedUnit(round) : span && spanUnit(view, span, summaries)
    if (!unit) continue
    units.push(unit)
    index += unit.rounds.length - 1
  }
  close()
  return units
}

/** A span with the summary of the model, or else with a record that is made without it. */
export function spanUnit(view: View, span: WorkSpan, summaries: Summaries): Unit {
  const kept = summaries(span)
  if (kept) return { ...span, ...kept, isByModel: true }
  return { ...span, text: standIn(view, span.rounds), isByModel: false, dollars: 0 }
}

/** What a fold said stands behind its frame; a note says all by itself. */
function foldedUnit(round: Round): Unit | undefined {
  const span = workSpan([round])
  const [first, second] = (round.content ?? []).map(({ text }) => String(text ?? ''))
  const text = isPieceFrame(first) ? (second ?? '') : snipLine(first ?? '')
  return span && { ...span, text, isByModel: true, dollars: 0 }
}
