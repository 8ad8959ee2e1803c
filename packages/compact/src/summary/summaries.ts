import { type CompactPlan, estimateText, type ForkResult, type Relief, type Round, type Span } from '@nacre/core'
import { defineLayer, type LayerContext } from '../layer/layer.js'
import { spanOf } from '../view/rounds.js'
import { summaryDraft, type WrittenSummary } from './draft.js'
import {
  createModelOutage,
  isTooLong,
  isUpTo,
  type ModelOutage,
  type SummaryTask,
  summaryOffer,
  summaryTask,
} from './offer.js'
import { plainRelief } from './plain.js'
import { summaryPrompt } from './prompt.js'
import { readAnswer } from './sections.js'
import { announceServer, serverRelief } from './server.js'

/** Summaries by the model, by the way that costs the least: by the server, on the shared cache, by a call of its own. */
export const summaries = defineLayer(
  'summary',
  {
    summary: true,
    /** The API itself writes summaries, where it can. */
    server: false,
  },
  (layer) => {
    const outage = createModelOutage()
    return {
      reliefs: [serverRelief(layer, outage), sharedRelief(layer, outage), plainRelief(layer, outage)],
      hooks: { PreModelCall: announceServer(layer) },
    }
  },
)

/** A summary by a fork that reads the context from the cache: its request extends the last one to the byte. */
function sharedRelief(layer: LayerContext, outage: ModelOutage): Relief {
  return {
    name: 'shared',
    rung: 'summary',
    offer(view, need) {
      const task = summaryTask(layer, view, need)
      return (
        task && summaryOffer(task, 'shared', outage, async (plan) => summaryDraft(task, plan, await write(task, plan)))
      )
    },
  }
}

async function write(task: SummaryTask, plan: CompactPlan): Promise<WrittenSummary> {
  const { result, span, reason } = await fork(task, plan, summaryPrompt(task, plan, true))
  return { text: readAnswer(result, isUpTo(task.need)), span, usage: result.usage, reason }
}

type Base = 'view' | 'answered'

const REASONS: Readonly<Record<Base, string>> = {
  view: 'summarised on the shared cache',
  answered: 'summarised on the shared cache, all but the last round',
}

interface Forked {
  readonly result: ForkResult
  readonly span: Span
  readonly reason: string
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
function basesFor({ view, need, span }: SummaryTask, plan: CompactPlan, prompt: string): readonly [Base, Base?] {
  const rounds = view.roundsIn(span)
  const isLastKept = rounds.at(-1) !== view.rounds.findLast(({ entries }) => hasAnswer(entries))
  if (isLastKept && !plan.extendsAnswered()) return ['answered', 'view']
  if (rounds.length < 2) return ['view']
  return view.tokens.total + need.tokens(estimateText(prompt)) < view.tokens.window
    ? ['view', 'answered']
    : ['answered']
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
  const { entries } = view.rounds[end] as Round
  const at = entries.findIndex(({ id }) => id === covers)
  const last = hasAnswer(entries.slice(0, at)) ? end : end - 1
  return spanOf(view.roundsIn(span).filter((round) => view.rounds.indexOf(round) <= last))
}

function hasAnswer(entries: Round['entries']): boolean {
  return entries.some(({ kind }) => kind === 'assistant')
}
