import { type CompactPlan, estimateText, type ForkResult, type Relief, type Round, type Span } from '@nacre/core'
import type { Parts } from '../parts.js'
import { isTooLong } from './is-too-long.js'
import { isUpTo } from './is-up-to.js'
import type { Reach } from './reach.js'
import { readAnswer } from './read-answer.js'
import { spanRounds } from './span-rounds.js'
import { summaryDraft, type WrittenSummary } from './summary-draft.js'
import { summaryOffer } from './summary-offer.js'
import { summaryOrder } from './summary-order.js'
import { summaryPrompt } from './summary-prompt.js'
import { type SummaryTask, summaryTask } from './summary-task.js'

/** A summary by a fork that reads the context from the cache: its request extends the last one to the byte. */
export function sharedRelief(parts: Parts, reach: Reach): Relief {
  return {
    name: 'shared',
    rung: 'summary',
    offer(view, need) {
      const task = summaryTask(parts, view, need)
      return (
        task && summaryOffer(task, 'shared', reach, async (plan) => summaryDraft(task, plan, await write(task, plan)))
      )
    },
  }
}

interface Forked {
  readonly result: ForkResult
  readonly span: Span
  readonly reason: string
}

async function write(task: SummaryTask, plan: CompactPlan): Promise<WrittenSummary> {
  const { result, span, reason } = await fork(task, plan, summaryPrompt(summaryOrder(task, plan, true)))
  return { text: readAnswer(result, isUpTo(task.need)), span, usage: result.usage, reason }
}

type Base = 'view' | 'answered'

const REASONS: Readonly<Record<Base, string>> = {
  view: 'summarised on the shared cache',
  answered: 'summarised on the shared cache, all but the last round',
}

async function fork(task: SummaryTask, plan: CompactPlan, prompt: string): Promise<Forked> {
  const [first, second] = basesFor(task, plan, prompt)
  try {
    return await forkOn(first, task, plan, prompt)
  } catch (error) {
    if (!second || !isTooLong(error)) throw error
    return forkOn(second, task, plan, prompt)
  }
}

/**
 * The view as it is; where that is too long, the last request that was answered, which lacks the last round. Where the
 * view was cut since, that request goes first if the last round stays anyway: it can be read from the cache.
 */
function basesFor({ view, span }: SummaryTask, plan: CompactPlan, prompt: string): readonly [Base, Base?] {
  const rounds = spanRounds(view, span)
  const isLastKept = rounds.at(-1) !== view.rounds.findLast(({ entries }) => entries.some(isResponse))
  if (isLastKept && !plan.extendsAnswered()) return ['answered', 'view']
  if (rounds.length < 2) return ['view']
  return view.tokens.total + estimateText(prompt) < view.tokens.window ? ['view', 'answered'] : ['answered']
}

function isResponse({ kind }: Round['entries'][number]): boolean {
  return kind === 'assistant'
}

async function forkOn(base: Base, task: SummaryTask, plan: CompactPlan, prompt: string): Promise<Forked> {
  const result = await plan.fork({
    source: 'compact',
    extends: base,
    prompt: [{ type: 'text', text: prompt }],
    maxTurns: 1,
    allow: () => false,
    signal: plan.signal,
  })
  const span = base === 'view' ? task.span : coveredBy(task, result.covers)
  if (!span) throw new Error('The last request that was answered holds no whole round to fold.')
  return { result, span, reason: REASONS[base] }
}

/** The rounds of the task whose answers are in the request that ended with an entry. */
function coveredBy({ view, span }: SummaryTask, covers: string): Span | undefined {
  const end = view.rounds.findIndex((round) => round.entries.some(({ id }) => id === covers))
  if (end === -1) return undefined
  const last = holdsAnswer(view.rounds[end] as Round, covers) ? end : end - 1
  const rounds = spanRounds(view, span).filter((round) => view.rounds.indexOf(round) <= last)
  const to = rounds.at(-1)?.span.to
  return to === undefined ? undefined : { from: span.from, to }
}

function holdsAnswer({ entries }: Round, covers: string): boolean {
  const end = entries.findIndex(({ id }) => id === covers)
  return entries.slice(0, end).some(({ kind }) => kind === 'assistant')
}
