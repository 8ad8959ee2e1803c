import type { CompactPlan, Draft, Handler, Json, Relief, View } from '@nacre/core'
import type { LayerContext } from '../layer/layer.js'
import { refuseHopeless, signedDraft } from './draft.js'
import { type EarlierWays, type SummaryTask, summaryOffer, summaryTask } from './offer.js'
import { summaryPrompt } from './prompt.js'

/** The header without which a signed summary is neither made nor taken. */
const SERVER_BETA = 'compact-2026-09-04'

/** A summary that the API itself writes and signs. It stands first in the view, so it is of all of it or of nothing. */
export function serverRelief(layer: LayerContext, earlier: EarlierWays): Relief {
  return {
    name: 'server',
    rung: 'summary',
    compacts: () => layer.flag('server') && layer.flag('summary'),
    offer(view, need) {
      if (!layer.flag('server') || need.part || !need.model.can.has('compaction') || !isHeaderSent(view))
        return undefined
      const task = summaryTask(layer, view, need)
      return task && summaryOffer(task, 'server', earlier, (plan) => draft(task, plan))
    },
  }
}

/** A signed summary is refused without its header, and what the session did not begin with it never sends. */
function isHeaderSent(view: View): boolean {
  const { betas }: { readonly betas?: unknown } = Object(view.state('core', 'latched'))
  return Array.isArray(betas) && betas.includes(SERVER_BETA)
}

/** The API takes no longer ones. */
const LONGEST = 16_384

async function draft(task: SummaryTask, plan: CompactPlan): Promise<Draft> {
  refuseHopeless(task, plan)
  const instructions = summaryPrompt(task, plan, { behind: 'view', hasDraft: false })
  if (instructions.length > LONGEST) throw new Error('The instructions are longer than the API takes for a summary.')
  const answer = await plan.ask({
    source: 'compact',
    extra: { compaction: { type: 'summarize', instructions }, betas: [SERVER_BETA], context_management: null },
    signal: plan.signal,
  })
  const [block] = answer.content
  if (block?.type !== 'compaction' || typeof block.content !== 'string') {
    throw new Error(`The API gave no summary (${answer.stop}).`)
  }
  return signedDraft(task, plan, block, answer)
}

/** Sends the header from the first request on: a session keeps the headers that it begins with. */
export function announceServer({ flag }: LayerContext): Handler<'PreModelCall'> {
  return ({ value }) => {
    if (!flag('server') || !flag('summary')) return undefined
    const known: readonly Json[] = Array.isArray(value.extra?.betas) ? (value.extra.betas as Json[]) : []
    if (known.includes(SERVER_BETA)) return undefined
    return { ...value, extra: { ...value.extra, betas: [...known, SERVER_BETA] } }
  }
}
