import {
  type Block,
  estimateText,
  type HookContext,
  type Id,
  isNacreError,
  type Json,
  type Round,
  type Span,
  type StateEntry,
  type View,
} from '@nacre/core'
import type { LayerContext } from '../layer/layer.js'
import { carriesTooLittle } from '../summary/carried.js'
import { characterStart, cutLine } from '../text/format.js'
import { roundTexts, roundWords } from '../view/rounds.js'
import { collapseMarks, finishedSpans, type WorkSpan } from './finished-spans.js'
import type { Summaries } from './records.js'

/** Writes summaries of finished spans in the background, and knows which there are. */
export interface Summariser {
  /** Begins with what has no summary yet, unless it is at work. Never waits. */
  start(view: View, context: HookContext): void
  /** Where the span that begins with an entry ends, once somebody has asked for it. */
  endOf(view: View, from: Id): Id | undefined
  reader(view: View): Summaries
  /** Whether it was asked for and none came: none will. */
  hasFailed(span: WorkSpan): boolean
  stop(): void
}

/** Several spans are asked for at once: each question reads the whole context. */
const SPANS_AT_ONCE = 8
/** What has to wait for summaries before they are asked for, in tokens of a full window. */
const BATCH = 24_000

export function createSummariser({ flag, model }: LayerContext): Summariser {
  const stopped = new AbortController()
  const known = new Map<Id, { readonly to: Id; readonly state: 'asked' | 'failed' }>()
  let isAtWork = false

  const endOf = (view: View, from: Id) => keptSummary(view, from)?.to ?? known.get(from)?.to
  const kept = (view: View, { span }: WorkSpan) => {
    const summary = keptSummary(view, span.from)
    return summary?.to === span.to ? summary : undefined
  }

  const write = async (view: View, context: HookContext, spans: readonly WorkSpan[], signal: AbortSignal) => {
    const prompt = spanPrompt(view, spans)
    const result = await context.fork({ source: 'compact', prompt, maxTurns: 1, allow: () => false, signal })
    const isText = result.stop !== 'tool_use' && result.turns === 1
    const parts = isText ? readParts(view, result.text, spans) : new Map<WorkSpan, string>()
    const dollars = result.usage.dollars / Math.max(1, parts.size)
    // Switched off meanwhile, it leaves nothing behind.
    if (parts.size > 0 && flag('collapse'))
      await context.store.append([...parts].map(([{ span }, text]) => summaryEntry(span, text, dollars)))
    for (const { span } of spans) known.set(span.from, { to: span.to, state: 'failed' })
  }

  /** What was stopped may be asked for again; what failed is not, so that nothing is paid for twice. */
  const settle = (spans: readonly WorkSpan[], error: unknown) => {
    const isStopped = stopped.signal.aborted || isNacreError(error, 'ABORTED')
    for (const { span } of spans) {
      if (isStopped) known.delete(span.from)
      else known.set(span.from, { to: span.to, state: 'failed' })
    }
  }

  return {
    endOf,
    hasFailed: ({ span }) => known.get(span.from)?.state === 'failed',
    reader: (view) => (span) => kept(view, span),
    start(view, context) {
      const { total, scale } = view.tokens
      const marks = collapseMarks(view, model)
      if (isAtWork || stopped.signal.aborted || total < marks.summarise) return
      const isPinned = ({ span }: Round) => view.isPinned(span)
      const all = finishedSpans(view, { endOf: (from) => endOf(view, from), isPinned })
      const spans = all.filter((span) => !kept(view, span) && !known.has(span.span.from)).slice(0, SPANS_AT_ONCE)
      const gathered = spans.reduce((sum, span) => sum + span.tokens, 0)
      // Enough has to have gathered to be worth a question, unless it is needed now.
      if (spans.length === 0 || (total < marks.fold && gathered < BATCH * scale)) return
      isAtWork = true
      for (const { span } of spans) known.set(span.from, { to: span.to, state: 'asked' })
      context.defer(async (signal) => {
        try {
          await write(view, context, spans, AbortSignal.any([signal, stopped.signal]))
        } catch (error) {
          settle(spans, error)
        } finally {
          isAtWork = false
        }
      })
    },
    stop: () => stopped.abort(),
  }
}

const WORDS = 160

/** Asks for short summaries of finished parts of the conversation, each named by its first and last words. */
function spanPrompt(view: View, spans: readonly WorkSpan[]): readonly Block[] {
  const parts = spans.map(
    ({ rounds }, index) =>
      `Part ${index + 1} (${rounds.length} rounds)\n  begins: ${first(view, rounds)}\n  ends: ${last(view, rounds)}`,
  )
  const text = [
    'This is beside the conversation and no part of the task. Answer with text only: no tool can be used here.',
    `Some parts of the conversation above are finished and will be left out of it later. Write a short record of each.`,
    parts.join('\n'),
    'For each part, in at most 120 words: what was asked, what was done and decided, what came out, and what is still open. Keep exact names: paths, commands, numbers, error texts. Say nothing about other parts, and repeat nothing that later parts have made void.',
    `Give exactly ${spans.length === 1 ? 'this one element' : `these ${spans.length} elements`} and nothing else, text only:`,
    spans.map((_, index) => `<part number="${index + 1}">…</part>`).join('\n'),
  ].join('\n\n')
  return [{ type: 'text', text }]
}

function first(view: View, rounds: readonly Round[]): string {
  return cutLine(rounds[0] ? roundWords(view, rounds[0]) : '', WORDS)
}

function last(view: View, rounds: readonly Round[]): string {
  const round = rounds.at(-1)
  const said = round && { ...round, entries: round.entries.filter(({ kind }) => kind === 'assistant') }
  const words = said ? roundWords(view, said) : ''
  const end = words.slice(characterStart(words, words.length - WORDS))
  return words.length > WORDS ? `…${cutLine(end, WORDS + 1)}` : cutLine(words, WORDS)
}

/** A record that is longer than this part of what it stands for is none. */
const LONGEST = 0.5

/** Little was asked for, so little of what a summary has to carry is enough. */
const SHARE = 0.25

/**
 * The records of an answer by the number of their span, whatever marks tell them apart; what is missing, too long, or
 * carries almost nothing of its span is left out.
 */
function readParts(view: View, answer: string, spans: readonly WorkSpan[]): ReadonlyMap<WorkSpan, string> {
  const found = new Map<WorkSpan, string>()
  for (const { number, words, isMarked } of partsIn(answer, spans.length)) {
    const span = spans[number - 1]
    const text = words.trim()
    if (!span || estimateText(text) > span.tokens * LONGEST) continue
    if (carriesTooLittle({ text, isMarked, share: SHARE }, roundTexts(view, span.rounds)) !== undefined) continue
    found.set(span, text)
  }
  return found
}

interface NumberedPart {
  readonly number: number
  readonly words: string
  readonly isMarked: boolean
}

const ELEMENT = /<part\b[^>\d]{0,20}(\d{1,2})[^>\d]{0,5}>([\s\S]*?)(?:<\/part>|(?=<part\b)|$)/gi
const HEADING = /^[ \t#*_>-]{0,8}part[ \t]+(\d{1,2})\b[^\p{L}\n]{0,8}/gimu

/** What was asked for as elements may come under headings; where one record was asked for, all of the answer may be it. */
function partsIn(answer: string, count: number): NumberedPart[] {
  const part = (number: number, words: string, isMarked = true) => ({ number, words, isMarked })
  const elements = [...answer.matchAll(ELEMENT)].map(([, number, words = '']) => part(Number(number), words))
  if (elements.length > 0) return elements
  const headings = [...answer.matchAll(HEADING)]
  const parts = headings.map((heading, index) => {
    const words = answer.slice(heading.index + heading[0].length, headings[index + 1]?.index ?? answer.length)
    return part(Number(heading[1]), words)
  })
  return parts.length > 0 || count > 1 ? parts : [part(1, answer, false)]
}

/** A summary of a span, as it is kept until it is needed. */
interface KeptSummary {
  readonly to: Id
  readonly text: string
  /** What it cost. */
  readonly dollars: number
}

/** The summary that is kept for the span that begins with an entry. A rewind takes it back, a resume brings it back. */
function keptSummary(view: View, from: Id): KeptSummary | undefined {
  const { to, text, dollars } = Object(view.state('compact', keyOf(from))) as { readonly [key: string]: Json }
  if (typeof to !== 'string' || typeof text !== 'string') return undefined
  return { to, text, dollars: typeof dollars === 'number' ? dollars : 0 }
}

/** The entry that keeps a summary. */
function summaryEntry({ from, to }: Span, text: string, dollars: number): StateEntry {
  return { kind: 'state', owner: 'compact', key: keyOf(from), value: { to, text, dollars }, id: '', time: 0 }
}

function keyOf(from: Id): string {
  return `collapse/${from}`
}
