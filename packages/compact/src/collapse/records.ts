import { type Draft, estimateText, foldDraft, type Round, type Span, type Usage, type View } from '@nacre/core'
import { escapeFrames, HEADINGS, WORK_KINDS, workLedger } from '../digest/work-ledger.js'
import { snipLine } from '../snip/snip-draft.js'
import { characterStart, cutLine, fitLast } from '../text/format.js'
import { estimateFold, shownBlocks, textsIn } from '../view/rounds.js'
import { type WorkSpan, workSpan } from './finished-spans.js'

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
    if (span) units.push({ ...span, text: recordFromLog(view, rest), isByModel: false, dollars: 0 })
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
  return { ...span, text: recordFromLog(view, span.rounds), isByModel: false, dollars: 0 }
}

/** What a fold said stands behind its frame; a note says all by itself. */
function foldedUnit(round: Round): Unit | undefined {
  const span = workSpan([round])
  const [first, second] = (round.content ?? []).map(({ text }) => String(text ?? ''))
  const text = isPieceFrame(first) ? (second ?? '') : snipLine(first ?? '')
  return span && { ...span, text, isByModel: true, dollars: 0 }
}

const TOKENS = 300
const ANSWER = 600

/** A record of rounds without the model: what tools have done, and how the model's last words there began. */
function recordFromLog(view: View, rounds: readonly Round[]): string {
  const ledger = workLedger(view, rounds, () => undefined)
  const works = WORK_KINDS.flatMap((kind) => {
    const lines = ledger.get(kind) ?? []
    const kept = fitLast(lines, TOKENS / 2)
    return kept.length > 0 ? [`${HEADINGS[kind]}\n${kept.map((line) => `- ${line}`).join('\n')}`] : []
  })
  const answer = lastWords(view, rounds)
  const words = answer === '' ? [] : [`The model's last words there: ${cutLine(escapeFrames(answer), ANSWER)}`]
  const text = [...works, ...words].join('\n')
  if (text === '') return 'Nothing was done there but what was said.'
  return estimateText(text) > TOKENS * 2 ? `${text.slice(0, characterStart(text, TOKENS * 6))}…` : text
}

function lastWords(view: View, rounds: readonly Round[]): string {
  const texts = rounds.flatMap(({ entries }) =>
    entries.filter(({ kind }) => kind === 'assistant').flatMap((entry) => textsIn(shownBlocks(view, entry))),
  )
  return texts.at(-1) ?? ''
}

/** What folds a part, and how many tokens that frees. */
export interface UnitFold {
  readonly draft: Draft
  readonly span: Span
  readonly frees: number
}

/** The fold of one part of the view. */
export function foldUnit(view: View, unit: Unit, recall: string | undefined): UnitFold {
  const draft = draftOf(view, unit, recall)
  return { draft, span: unit.span, frees: unit.tokens - estimateFold(draft) * view.tokens.factor }
}

const FRAME = 'A finished part of this session was folded to make room, and this stands for it'
const ANCHORS = 1_500
const ANCHORS_SHARE = 0.06
const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0 }

/** What comes before it and after it stays as it is. */
function draftOf(view: View, unit: Unit, recall: string | undefined): Draft {
  const { span, tokens, text, isByModel, dollars } = unit
  const frame = [
    `${FRAME}.`,
    ...(recall === undefined
      ? []
      : [`${recall} reads it again, from entry ${span.from} to entry ${span.to}, and finds any word of it.`]),
  ].join(' ')
  const detail = isByModel ? 'a summary by the model, made in the background' : 'made from the log, without the model'
  const draft = foldDraft(view, span, text, {
    reason: 'collapse: a finished span of work',
    frame,
    ...(recall !== undefined && { recall }),
    room: { anchors: Math.min(ANCHORS * view.tokens.scale, tokens * ANCHORS_SHARE) },
    checks: [{ name: 'record', ok: text.trim() !== '', detail }],
    spent: { ...NOTHING, dollars },
  })
  return { ...draft, isPiece: true }
}

/** Whether what stands for a span was made here. */
function isPieceFrame(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith(FRAME)
}
