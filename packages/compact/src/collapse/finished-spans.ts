import { type Block, type Id, type ModelInfo, type Round, type Span, thresholds, type View } from '@nacre/core'
import { isComplete, isPrompt, lastPromptRound, spanOf } from '../view/rounds.js'

/** A finished piece of work: neighbouring rounds that one fold can stand for. */
export interface WorkSpan {
  readonly rounds: readonly Round[]
  readonly span: Span
  readonly tokens: number
}

/** What is known of a view besides what it shows. */
export interface Known {
  /** How a span that is known already ends, by its first entry: it stays as it was when it was found. */
  endOf(from: Id): Id | undefined
  /** Whether a round has to stay, since a person has brought it back. */
  isPinned(round: Round): boolean
}

/** In tokens of a full window: below it spans are joined, above it one is cut. */
const LEAST = 4_000
const MOST = 16_000

/**
 * Finished spans of work in view, the oldest first: prompts with all that was done for them, joined where they are
 * short; of a very long turn, runs of rounds that are cut where the model begins something new.
 */
export function finishedSpans(view: View, known: Known): readonly WorkSpan[] {
  const { scale } = view.tokens
  const { before, after } = finishedParts(view)
  const sizes = { least: LEAST * scale, most: MOST * scale }
  const isWhole = (round: Round) => !round.content && !known.isPinned(round)
  return [
    ...runsOf(before, isWhole).flatMap((run) => spansOf(run, known, { ...sizes, isOver: true })),
    ...runsOf(after, isWhole).flatMap((run) => spansOf(run, known, { ...sizes, isOver: false })),
  ]
}

interface Sizes {
  readonly least: number
  readonly most: number
  /** Whether work ends where the run does. */
  readonly isOver: boolean
}

function spansOf(run: readonly Round[], { endOf }: Known, sizes: Sizes): WorkSpan[] {
  const spans: WorkSpan[] = []
  let current: Round[] = []
  const close = () => {
    const span = workSpan(current)
    if (span && span.tokens >= sizes.least) spans.push(span)
    current = []
  }
  for (let index = 0; index < run.length; index++) {
    const round = run[index] as Round
    const known = knownEnd(run, index, endOf)
    if (known !== undefined || isCut(current, round, sizes)) close()
    if (known === undefined) {
      current.push(round)
      continue
    }
    const span = workSpan(run.slice(index, known + 1))
    if (span) spans.push(span)
    index = known
  }
  if (sizes.isOver) close()
  return spans
}

function knownEnd(run: readonly Round[], index: number, endOf: Known['endOf']): number | undefined {
  const to = endOf(run[index]?.span.from ?? '')
  const end = to === undefined ? -1 : run.findIndex(({ span }) => span.to === to)
  return end >= index ? end : undefined
}

/** Whether a span ends before a round: best at a prompt, else where the model begins with words, at last anywhere. */
function isCut(current: readonly Round[], next: Round, { least, most }: Sizes): boolean {
  const tokens = current.reduce((sum, round) => sum + round.tokens, 0)
  if (tokens < least) return false
  if (next.entries.some(isPrompt)) return true
  return tokens + next.tokens > most || (tokens > most / 2 && beginsWithWords(next))
}

function beginsWithWords({ entries }: Round): boolean {
  const blocks = entries.find(({ kind }) => kind === 'assistant')?.content ?? []
  const first = blocks.find(({ type }: Block) => type === 'text' || type === 'tool_use')
  return first?.type === 'text'
}

/** The last rounds stay as they are, whatever they hold. */
const LAST_ROUNDS = 4

/** What may be folded: all before the round of the last prompt, and what follows it but for the last few rounds. */
interface FinishedParts {
  readonly before: readonly Round[]
  readonly after: readonly Round[]
}

/** The two parts of a view in which work is finished; the round of the last prompt stands between them and stays. */
export function finishedParts({ rounds }: View): FinishedParts {
  const prompt = lastPromptRound(rounds)
  const open = rounds.findIndex((round) => !isComplete(round))
  const end = (open === -1 ? rounds.length : open) - LAST_ROUNDS
  return {
    before: rounds.slice(0, Math.max(0, Math.min(prompt, end))),
    after: rounds.slice(prompt + 1, Math.max(prompt + 1, end)),
  }
}

/** Rounds that stand together and may all be folded; every other round parts them. */
export function runsOf(rounds: readonly Round[], mayFold: (round: Round) => boolean): Round[][] {
  const runs: Round[][] = [[]]
  for (const round of rounds) {
    if (mayFold(round)) runs.at(-1)?.push(round)
    else runs.push([])
  }
  return runs.filter((run) => run.length > 0)
}

/** Rounds as one span; `undefined` where there are none. */
export function workSpan(rounds: readonly Round[]): WorkSpan | undefined {
  const span = spanOf(rounds)
  return span && { rounds, span, tokens: rounds.reduce((sum, round) => sum + round.tokens, 0) }
}

/** The sizes at which collapse does something, in tokens. */
export interface CollapseMarks {
  /** From here on finished spans are summarised, so that the summaries are there in time. */
  readonly summarise: number
  /** From here on spans are folded. */
  readonly fold: number
  /** Folding goes on down to here: folds that follow one another at once break the cache once. */
  readonly downTo: number
  /** Where new spans do not bring the view down to here, those that were folded before are joined with them. */
  readonly enough: number
}

const SUMMARISE = 0.5
const FOLD = 0.9
const DOWN_TO = 0.7
const ENOUGH = 0.8

/** The marks of a view, by the part of the window that a prompt may fill: a threshold that was lowered says nothing of that. */
export function collapseMarks({ tokens: { window, threshold } }: View, { maxOutput }: ModelInfo): CollapseMarks {
  const { effective } = thresholds({ window, maxOutput })
  const fold = Math.min(effective.tokens * FOLD, threshold)
  return {
    summarise: fold * (SUMMARISE / FOLD),
    fold,
    downTo: fold * (DOWN_TO / FOLD),
    enough: fold * (ENOUGH / FOLD),
  }
}
