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

/** On the view as it is; where that is too long, on the last request that was answered, which lacks the last round. */
async function fork(task: SummaryTask, plan: CompactPlan, prompt: string): Promise<Forked> {
  const { view, span } = task
  const ask = (base: 'view' | 'answered') =>
    plan.fork({
      source: 'compact',
      extends: base,
      prompt: [{ type: 'text', text: prompt }],
      maxTurns: 1,
      allow: () => false,
      signal: plan.signal,
    })
  if (view.tokens.total + estimateText(prompt) < view.tokens.window) {
    try {
      return { result: await ask('view'), span, reason: 'summarised on the shared cache' }
    } catch (error) {
      if (!isTooLong(error) || spanRounds(view, span).length < 2) throw error
    }
  }
  const result = await ask('answered')
  const covered = coveredBy(task, result.covers)
  if (!covered) throw new Error('The last request that was answered holds no whole round to fold.')
  return { result, span: covered, reason: 'summarised on the shared cache, all but the last round' }
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
