import type { CompactPlan, Draft, Need, Offer, Relief, Span, View } from '@nacre/core'
import { foldSpan, isComplete } from '../fold-span.js'
import type { Layer } from '../layer.js'
import type { Parts } from '../parts.js'
import { isByHand } from '../summary/is-by-hand.js'
import { type DigestTask, digestDraft, shortestDraft } from './digest-draft.js'
import { foldLimits } from './fold-limits.js'

/** Estimated tokens that a digest needs to say anything. */
const LEAST = 200

/** The last rung: a fold that needs no model and fits. The second relief is for when the first meets no room. */
export const digest: Layer = (parts) => ({
  reliefs: [reliefOf('digest', parts, digestDraft), reliefOf('shortest-digest', parts, shortestDraft)],
})

function reliefOf(name: string, parts: Parts, draft: (task: DigestTask, plan: CompactPlan) => Draft): Relief {
  return {
    name,
    rung: 'digest',
    offer(view, need): Offer | undefined {
      if (!parts.flag('digest') || need.pressure === 'idle') return undefined
      const span = digestSpan(view, need)
      if (!span) return undefined
      const { covered, rounds } = foldLimits(view, span, need)
      // Asked for again by a person right after a fold, it would only make less of a better summary.
      if (isByHand(need) && rounds.every(({ entries }) => entries.length === 0)) return undefined
      const frees = Math.max(1, covered - Math.max(0, need.target - (view.tokens.total - covered)))
      return { span, frees, dollars: 0, draft: (plan) => draft({ view, span, need, parts }, plan) }
    },
  }
}

/** At an overflow the last round goes too where there is no room without it: the request has to fit. */
function digestSpan(view: View, need: Need): Span | undefined {
  const usual = foldSpan(view, need)
  if (need.pressure !== 'overflow' || need.part) return usual
  const complete = view.rounds.filter(isComplete)
  const from = complete[0]?.span.from
  const to = complete.at(-1)?.span.to
  const all = from !== undefined && to !== undefined ? { from, to } : undefined
  return usual && foldLimits(view, usual, need).most >= LEAST ? usual : all
}
