import type { CompactPlan, Draft, Offer, Relief, Span, View } from '@nacre/core'
import type { Parts } from '../parts.js'
import { type DeadEnd, deadEnds } from './dead-ends.js'
import { type Snip, snipDraft } from './snip-draft.js'
import type { SnipSpan } from './snip-span.js'

/** Below it a cut is not worth the look, in tokens of a full window. */
const LEAST = 500
const FULL_WINDOW = 200_000

/** Offers to leave dead ends out, the largest first. Whether that pays is for core to say. */
export function deadEndRelief(parts: Parts): Relief {
  /** What was drafted once and is still there was refused: not again. */
  const tried = new Set<string>()
  return {
    name: 'snip-dead-ends',
    rung: 'clear',
    offer(view): Offer | undefined {
      if (!parts.flag('snip')) return undefined
      const least = LEAST * Math.min(1, view.tokens.window / FULL_WINDOW)
      const offers = deadEnds(view)
        .map((end) => snipOf(parts, view, end))
        .filter((offer) => offer !== undefined && offer.frees >= least && !tried.has(offer.span.from))
        .sort((a, b) => (b?.frees ?? 0) - (a?.frees ?? 0))
      const [best] = offers
      if (!best) return undefined
      const { span, frees, snip } = best
      const draft = (plan: CompactPlan): Draft => {
        tried.add(span.from)
        if (holdsNotes(plan, span, view)) throw new Error('Notes stand among the failed calls, so they stay.')
        return snip.draft
      }
      return { span, frees, dollars: 0, draft }
    },
  }
}

interface DeadEndSnip {
  readonly span: Span
  readonly frees: number
  readonly snip: Snip
}

function snipOf({ recall }: Parts, view: View, { rounds, tools }: DeadEnd): DeadEndSnip | undefined {
  const from = rounds[0]?.span.from
  const to = rounds.at(-1)?.span.to
  if (from === undefined || to === undefined) return undefined
  const snipped: SnipSpan = { rounds, span: { from, to } }
  const why = `the same call of ${tools.join(', ')} failed with the same error each time, and succeeded later`
  const snip = snipDraft(view, snipped, { why, recall: recall() })
  return 'problem' in snip ? undefined : { span: snipped.span, frees: snip.frees, snip }
}

/** What a plugin or the runtime said among them would go with them. */
function holdsNotes({ messages }: CompactPlan, { from, to }: Span, view: View): boolean {
  const first = view.rounds.findIndex(({ span }) => span.from === from)
  const last = view.rounds.findIndex(({ span }) => span.to === to)
  const ids = new Set(view.rounds.slice(first, last + 1).flatMap(({ entries }) => entries.map(({ id }) => id)))
  const blocks = messages().flatMap(({ blocks: shown }) => shown)
  const isOfSpan = ({ ref }: (typeof blocks)[number]) => ref !== undefined && ids.has(ref.entry)
  const inside = blocks.slice(blocks.findIndex(isOfSpan), blocks.findLastIndex(isOfSpan) + 1)
  return inside.some(({ ref }) => ref === undefined)
}
