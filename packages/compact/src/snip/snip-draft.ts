import {
  type Draft,
  estimateText,
  messagesSection,
  type Round,
  type SaidMessage,
  type Span,
  type View,
} from '@nacre/core'
import { counted, formatCount, normalised, oneLine } from '../text/format.js'
import { isComplete, isPrompt, lastPromptRound, shownBlocks, textsIn } from '../view/rounds.js'

/** Neighbouring rounds that may be snipped. */
export interface SnipSpan {
  readonly rounds: readonly Round[]
  readonly span: Span
}

/** Why something can not be snipped, for whoever asked. */
interface Problem {
  readonly problem: string
}

/** The rounds from one name to another, or why they can not be snipped. */
export function snipSpan(view: View, from: string, to: string = from): SnipSpan | Problem {
  const { rounds } = view
  const first = findRound(view, from)
  if (typeof first !== 'number') return first
  const last = findRound(view, to)
  if (typeof last !== 'number') return last
  if (first > last) return { problem: `'${from}' comes after '${to}': name the earlier one first.` }
  const taken = rounds.slice(first, last + 1)
  const prompt = lastPromptRound(rounds)
  if (first <= prompt && prompt <= last) {
    return { problem: 'The last prompt is in it, which always stays in view: begin after it, or rewind instead.' }
  }
  if (taken.some(({ content }) => content)) {
    return { problem: 'A part of it was folded or snipped already: leave that out, or undo it first.' }
  }
  if (!taken.every(isComplete)) return { problem: 'It is not finished yet: only rounds with all their results can go.' }
  return { rounds: taken, span: { from: rounds[first]?.span.from ?? from, to: rounds[last]?.span.to ?? to } }
}

/**
 * The place of the round that a name means: an entry by its id or the beginning of it, a call by its id, or a message by
 * how it begins.
 */
function findRound(view: View, name: string): number | Problem {
  const { rounds } = view
  const wanted = name.trim()
  if (wanted === '') return { problem: 'Nothing was named: give an id, or how a message begins.' }
  const exact = rounds.findIndex((round) => idsOf(round).includes(wanted))
  if (exact !== -1) return exact
  const found = placesOf(rounds, (round) => isShortId(wanted) && idsOf(round).some((id) => id.startsWith(wanted)))
  const begun = found.length > 0 ? found : placesOf(rounds, (round) => beginsWith(view, round, wanted))
  const [only] = begun
  if (only === undefined)
    return { problem: `Nothing in view is called '${shortened(wanted)}', and no message begins so.` }
  if (begun.length === 1) return only
  return { problem: `'${shortened(wanted)}' means ${begun.length} rounds: give more of it, or a whole id.` }
}

function placesOf(rounds: readonly Round[], matches: (round: Round) => boolean): number[] {
  return rounds.flatMap((round, index) => (matches(round) ? [index] : []))
}

const SHORTEST_ID = 4

function isShortId(name: string): boolean {
  return name.length >= SHORTEST_ID && !/\s/.test(name)
}

/** The ids by which a round is known: of its entries, of its calls, and of the ends of what was folded. */
function idsOf({ entries, span }: Round): string[] {
  const calls = entries.flatMap(({ content }) =>
    content.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : [])),
  )
  return [span.from, span.to, ...entries.map(({ id }) => id), ...calls]
}

const SHORTEST_QUOTE = 8

function beginsWith(view: View, { entries }: Round, quote: string): boolean {
  const start = normalised(quote.replace(/(…|\.\.\.)$/, ''))
  if (start.length < SHORTEST_QUOTE) return false
  return entries.some((entry) => textsIn(shownBlocks(view, entry)).some((text) => normalised(text).startsWith(start)))
}

function shortened(name: string): string {
  return name.length > 60 ? `${name.slice(0, 59)}…` : name
}

export interface Snip {
  readonly draft: Draft
  readonly frees: number
  /** For whoever asked. */
  readonly summary: string
}

interface SnipReason {
  /** Why, as a part of a sentence that the model reads. */
  readonly why: string
  /** The tool that reads what is gone, where one is installed. */
  readonly recall: string | undefined
}

const LONGEST_WHY = 300

/** The edit that takes rounds out and leaves a note, or why it is not worth it. */
export function snipDraft(view: View, snipped: SnipSpan, { why, recall }: SnipReason): Snip | Problem {
  const { rounds, span } = snipped
  // The model's words stand in a message of the user: they can neither end the line nor open a tag there.
  const reason = oneLine(why.replace(/[[\]]/g, ' '), LONGEST_WHY).replace(/[.\s]+$/, '') || 'no reason given'
  const note = snipNote(view, snipped, reason, recall)
  const tokens = rounds.reduce((sum, round) => sum + round.tokens, 0)
  const frees = Math.floor(tokens - estimateText(note) * view.tokens.factor)
  if (frees <= 0) {
    return { problem: 'Nothing would be gained: the note with what was said in it is as long as what it stands for.' }
  }
  const draft: Draft = { changes: [{ kind: 'drop', span, note }], reason: `snip: ${reason}` }
  return { draft, frees, summary: `${counted(rounds.length, 'round')}, about ${formatCount(frees)} tokens` }
}

/** What stands for rounds that were snipped: one line, and behind it what people said in them, word for word. */
function snipNote(view: View, { rounds, span }: SnipSpan, why: string, recall: string | undefined): string {
  const line = [
    `[${counted(rounds.length, 'round')} left out here: ${why}.`,
    ...(recall === undefined ? [] : [`${recall} reads what stood there, from entry ${span.from} to entry ${span.to}.`]),
  ]
  const words = messagesSection(said(view, rounds), '', Number.POSITIVE_INFINITY)
  return [`${line.join(' ')}]`, ...(words === '' ? [] : [words])].join('\n')
}

function said(view: View, rounds: SnipSpan['rounds']): SaidMessage[] {
  const prompts = rounds.flatMap(({ entries }) => entries.filter(isPrompt))
  return prompts.flatMap((prompt) => {
    const text = textsIn(shownBlocks(view, prompt)).join('\n')
    return text.trim() === '' ? [] : [{ entry: prompt.id, text }]
  })
}

const LINE = /^\[[\d,]+ rounds? left out here: .*\]$/m

/** The line of such a note, without what people said: a fold that covers it quotes that in its own place. Other texts whole. */
export function snipLine(note: string): string {
  const found = LINE.exec(note)
  return found?.index === 0 ? found[0] : note
}
