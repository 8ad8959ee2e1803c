import {
  type CompactPlan,
  type Draft,
  type ErrorCode,
  estimateText,
  isNacreError,
  type NacreError,
  type Need,
  type Offer,
  type Round,
  type Span,
  type View,
} from '@nacre/core'
import type { LayerContext } from '../layer/layer.js'
import { findSections } from './find-sections.js'
import { sectionTitles } from './sections.js'

/** What is to be summarised, and for whom. */
export interface SummaryTask {
  readonly layer: LayerContext
  readonly view: View
  readonly need: Need
  readonly span: Span
}

/** Below it a fold loses more than it saves, whatever the window. */
const LEAST_AT_IDLE = 30_000

/** The task that a need sets, or `undefined` where no summary is wanted or nothing is left to summarise. */
export function summaryTask(layer: LayerContext, view: View, need: Need): SummaryTask | undefined {
  if (!layer.flag('summary') || isUnwanted(layer, view, need)) return undefined
  const span = need.foldable()
  if (!span) return undefined
  const isNew = view.roundsIn(span).some(({ entries }) => entries.length > 0)
  return isNew ? { layer, view, need, span } : undefined
}

function isUnwanted({ settings, flag }: LayerContext, { tokens }: View, need: Need): boolean {
  if (need.trigger !== 'auto') return false
  // Finished spans are folded one by one then, in place of automatic summaries.
  if (flag('collapse')) return true
  return need.pressure === 'idle' && (settings.policy !== 'economy' || tokens.total < LEAST_AT_IDLE)
}

/** The offer to summarise by one of the ways; nobody waits twice for a model that is out of reach. */
export function summaryOffer(
  task: SummaryTask,
  way: keyof SummaryFigures['dollars'],
  earlier: EarlierWays,
  draft: (plan: CompactPlan) => Promise<Draft>,
): Offer {
  const { frees, dollars } = summaryFigures(task)
  if (task.need.trigger === 'manual') earlier.forget()
  return {
    span: task.span,
    frees,
    dollars: dollars[way],
    draft: (plan) => earlier.attempt(task.view, () => draft(plan)),
  }
}

/** What a summary frees, and what it costs by each way to make one. */
interface SummaryFigures {
  readonly frees: number
  readonly dollars: { readonly server: number; readonly shared: number; readonly plain: number }
}

const MILLION = 1_000_000
/** Tokens of a summary where the session has none yet, of what core adds to each, and of the words that ask for one. */
const SUMMARY = 3_000
const ADDED = 1_700
const PROMPT = 1_000
/** With the draft that is thrown away, for each token of the summary. */
const WRITTEN = 1.6

/** Estimates before anything is asked. The context is read from the cache once, unless that is cold. */
function summaryFigures(task: SummaryTask): SummaryFigures {
  const { view, need, span } = task
  const { total } = view.tokens
  const covered = view.roundsIn(span).reduce((sum, { tokens }) => sum + tokens, 0)
  const { scale } = need
  const summary = sizeBefore(view.rounds, need) ?? SUMMARY * scale
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

/** With fewer sections a text may be anything. */
const FEWEST_SECTIONS = 3

function isSummary(text: string): boolean {
  return findSections(text, sectionTitles(false)).filter(({ by }) => by === 'title').length >= FEWEST_SECTIONS
}

/** The size of the last summary in view; of one without sections nothing is known. */
function sizeBefore(rounds: readonly Round[], { tokens }: Need): number | undefined {
  const sizes = rounds.flatMap(({ content = [] }) =>
    content.flatMap(({ text }) => (typeof text === 'string' && isSummary(text) ? [tokens(estimateText(text))] : [])),
  )
  return sizes.at(-1)
}

/** What keeps a model from being reached at all: another way to ask it for the same would wait as long for nothing. */
const UNREACHABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'AUTH',
  'BUDGET_EXCEEDED',
  'NETWORK',
  'OVERLOADED',
  'RATE_LIMITED',
  'SERVER',
  'SPEND_CAP',
  'STREAM_CUT',
])

/** What other ways have found out, for as long as the view is the same: nobody pays twice to learn it. */
export interface EarlierWays {
  /** Asks, unless the model is known to be out of reach. */
  attempt<Answer>(view: View, ask: () => Promise<Answer>): Promise<Answer>
  /** A person who asks again wants it tried again. */
  forget(): void
  /** An answer of so many tokens did not end within them, or ended and was too large for what it was to stand for. */
  refused(view: View, answer: RefusedAnswer): void
  /** Why another answer, of so many tokens at most, would be refused for the same reason; `undefined` where it may not be. */
  whyInVain(view: View, most: number): string | undefined
}

interface RefusedAnswer {
  readonly output: number
  readonly for: 'cut' | 'size'
  readonly reason: string
}

export function createEarlierWays(): EarlierWays {
  let outage: { readonly version: number; readonly error: Error } | undefined
  let known: (RefusedAnswer & { readonly version: number }) | undefined
  return {
    async attempt(view, ask) {
      if (outage?.version === view.version)
        throw new Error(`The model was out of reach just now: ${outage.error.message}`)
      outage = undefined
      try {
        return await ask()
      } catch (error) {
        if (isNacreError(error) && UNREACHABLE.has(error.code)) outage = { version: view.version, error }
        throw error
      }
    },
    forget() {
      outage = undefined
      known = undefined
    },
    refused({ version }, answer) {
      known = { ...answer, version }
    },
    whyInVain({ version }, most) {
      if (known?.version !== version) return undefined
      const isSame = known.for === 'cut' ? known.output >= most : known.output <= most
      return isSame ? known.reason : undefined
    },
  }
}

/** Whether a request was refused for its size. */
export function isTooLong(error: unknown): error is NacreError {
  return isNacreError(error, 'PROMPT_TOO_LONG') || isNacreError(error, 'REQUEST_TOO_LARGE')
}

/** Whether only what precedes a message is summarised, so that the last sections have other titles. */
export function isUpTo({ part }: Pick<Need, 'part'>): boolean {
  return part !== undefined && 'upTo' in part
}
