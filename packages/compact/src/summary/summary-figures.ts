import { estimateText, type Round } from '@nacre/core'
import { findSections } from './find-sections.js'
import { sectionTitles } from './section-titles.js'
import { spanRounds } from './span-rounds.js'
import type { SummaryTask } from './summary-task.js'

/** What a summary frees, and what it costs by each way to make one. */
export interface SummaryFigures {
  readonly frees: number
  readonly dollars: { readonly server: number; readonly shared: number; readonly plain: number }
}

const FULL_WINDOW = 200_000
const MILLION = 1_000_000
/** Tokens of a summary where the session has none yet, of what core adds to each, and of the words that ask for one. */
const SUMMARY = 3_000
const ADDED = 1_700
const PROMPT = 1_000
/** With the draft that is thrown away, for each token of the summary. */
const WRITTEN = 1.6

/** Estimates before anything is asked. The context is read from the cache once, unless that is cold. */
export function summaryFigures(task: SummaryTask): SummaryFigures {
  const { view, need, span } = task
  const { total, window } = view.tokens
  const covered = spanRounds(view, span).reduce((sum, { tokens }) => sum + tokens, 0)
  const scale = Math.min(1, window / FULL_WINDOW)
  const summary = sizeBefore(view.rounds) ?? SUMMARY * scale
  const { input, output, read, write5m, write1h } = need.model.price(total)
  const context = need.pace.isCold ? (need.pace.ttl === '1h' ? write1h : write5m) : read
  const dollars = (tokens: number, price: number, written: number) =>
    (tokens * price + PROMPT * input + written * output) / MILLION
  const shared = dollars(total, context, summary * WRITTEN)
  const frees = Math.floor(covered - summary - ADDED * scale)
  return {
    // Out of need a summary is tried whatever it is estimated to be worth: core measures what it really is.
    frees: need.pressure === 'idle' ? frees : Math.max(1, frees),
    dollars: {
      server: dollars(total, context, summary),
      shared,
      // It loses media and thinking, so that it is never taken first, not even where a cold cache makes it cheaper.
      plain: Math.max(dollars(covered, input, summary * WRITTEN), shared * 1.001),
    },
  }
}

/** The size of the last summary in view. */
function sizeBefore(rounds: readonly Round[]): number | undefined {
  const sizes = rounds.flatMap(({ content = [] }) =>
    content.flatMap(({ text }) => (typeof text === 'string' && isSummary(text) ? [estimateText(text)] : [])),
  )
  return sizes.at(-1)
}

function isSummary(text: string): boolean {
  return findSections(text, sectionTitles(false)).length === 9
}
