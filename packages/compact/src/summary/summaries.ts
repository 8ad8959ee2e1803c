import {
  type CompactPlan,
  type Draft,
  estimateText,
  type ForkOptions,
  type ForkResult,
  type Id,
  type Relief,
  type Round,
  type Span,
} from '@nacre/core'
import { defineLayer, type LayerContext } from '../layer/layer.js'
import { spanOf } from '../view/rounds.js'
import { refuseHopeless, summaryDraft, whyTooLarge } from './draft.js'
import {
  createEarlierWays,
  type EarlierWays,
  isTooLong,
  isUpTo,
  type SummaryTask,
  summaryOffer,
  summaryTask,
} from './offer.js'
import { plainRelief } from './plain.js'
import { summaryPrompt } from './prompt.js'
import { isCut, readAnswer } from './read-answer.js'
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
    const earlier = createEarlierWays()
    return {
      reliefs: [serverRelief(layer, earlier), sharedRelief(layer, earlier), plainRelief(layer, earlier)],
      hooks: { PreModelCall: announceServer(layer) },
    }
  },
)

/** A summary by a fork that reads the context from the cache: its request extends the last one to the byte. */
function sharedRelief(layer: LayerContext, earlier: EarlierWays): Relief {
  return {
    name: 'shared',
    rung: 'summary',
    compacts: () => layer.flag('summary'),
    offer(view, need) {
      const task = summaryTask(layer, view, need)
      return task && summaryOffer(task, 'shared', earlier, (plan) => draft(task, plan, earlier))
    },
  }
}

async function draft(task: SummaryTask, plan: CompactPlan, earlier: EarlierWays): Promise<Draft> {
  refuseHopeless(task, plan)
  const { result, span, reason, sent } = await fork(task, plan)
  const { usage, stop } = result
  const { output } = usage
  if (isCut(stop)) earlier.refused(task.view, { output, for: 'cut', reason: `The summary was cut (${stop}).` })
  const made = summaryDraft(task, plan, { answer: readAnswer(result), span, sent, usage, reason })
  const tooLarge = whyTooLarge(task, made)
  if (tooLarge !== undefined) earlier.refused(task.view, { output, for: 'size', reason: tooLarge })
  return made
}

type Whole = Exclude<Base, 'before'>
type Base = 'view' | 'answered' | 'before'

const REASONS: Readonly<Record<Base, string>> = {
  view: 'summarised on the shared cache',
  answered: 'summarised on the shared cache, all but the last round',
  before: 'summarised on the shared cache, of what stands before the point alone',
}

interface Forked {
  readonly result: ForkResult
  readonly span: Span
  readonly reason: string
  readonly sent: 'all' | 'part'
}

async function fork(task: SummaryTask, plan: CompactPlan): Promise<Forked> {
  const before = endOfCached(task, plan)
  if (before !== undefined) return forkBefore(before, task, plan)
  const prompt = summaryPrompt(task, plan, { behind: 'view', hasDraft: true })
  const [first, second] = basesFor(task, plan, prompt)
  try {
    return await forkOn(first, task, plan, prompt)
  } catch (error) {
    if (!second || !isTooLong(error)) throw error
    return forkOn(second, task, plan, prompt)
  }
}

/** The point up to which a person wants a summary, where the cache has what stands before it: nothing else is sent then. */
function endOfCached({ view, need, span }: SummaryTask, plan: CompactPlan): Id | undefined {
  if (!isUpTo(need)) return undefined
  const next = view.rounds[view.rounds.findIndex((round) => round.span.to === span.to) + 1]
  const entry = next?.entries[0]?.id
  return entry !== undefined && plan.cachedUpTo(entry) ? entry : undefined
}

async function forkBefore(upTo: Id, task: SummaryTask, plan: CompactPlan): Promise<Forked> {
  const prompt = summaryPrompt(task, plan, { behind: 'span', hasDraft: true })
  const result = await plan.fork({ ...forkOptions(plan, prompt), upTo })
  return { result, span: task.span, reason: REASONS.before, sent: 'part' }
}

/**
 * The view as it is; where that is too long, the last request that was answered, which lacks the last round. Where the
 * view was cut since, that request goes first if the last round stays anyway: it can be read from the cache.
 */
function basesFor({ view, need, span }: SummaryTask, plan: CompactPlan, prompt: string): readonly [Whole, Whole?] {
  const rounds = view.roundsIn(span)
  const isLastKept = rounds.at(-1) !== view.rounds.findLast(({ entries }) => hasAnswer(entries))
  if (isLastKept && !plan.extendsAnswered()) return ['answered', 'view']
  if (rounds.length < 2) return ['view']
  return view.tokens.total + need.tokens(estimateText(prompt)) < view.tokens.window
    ? ['view', 'answered']
    : ['answered']
}

async function forkOn(base: Whole, task: SummaryTask, plan: CompactPlan, prompt: string): Promise<Forked> {
  const result = await plan.fork({ ...forkOptions(plan, prompt), extends: base })
  const span = base === 'view' ? task.span : coveredBy(task, result.covers)
  if (!span) throw new Error('The last request that was answered holds no whole round to fold.')
  return { result, span, reason: REASONS[base], sent: 'all' }
}

function forkOptions({ signal }: CompactPlan, prompt: string): ForkOptions {
  return { source: 'compact', prompt: [{ type: 'text', text: prompt }], maxTurns: 1, allow: () => false, signal }
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
