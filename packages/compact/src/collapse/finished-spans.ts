import type { Block, Id, Round, View } from '@nacre/core'
import { isPrompt } from '../snip/is-prompt.js'
import { collapseMarks } from './collapse-marks.js'
import { foldable } from './foldable.js'
import { runsOf } from './runs-of.js'
import { type WorkSpan, workSpan } from './work-span.js'

/** In tokens of a full window: below it spans are joined, above it one is cut. */
const LEAST = 4_000
const MOST = 16_000

/** What is known of a view besides what it shows. */
export interface Known {
  /** How a span that is known already ends, by its first entry: it stays as it was when it was found. */
  endOf(from: Id): Id | undefined
  /** Whether a person has brought a round back. */
  isPinned(round: Round): boolean
}

/**
 * Finished spans of work in view, the oldest first: prompts with all that was done for them, joined where they are
 * short; of a very long turn, runs of rounds that are cut where the model begins something new.
 */
export function finishedSpans(view: View, known: Known): readonly WorkSpan[] {
  const { scale } = collapseMarks(view.tokens)
  const { before, after } = foldable(view)
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
