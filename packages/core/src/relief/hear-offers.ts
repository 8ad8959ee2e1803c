import type { Need, Offer } from '../contract/relief.js'
import { callWithin } from '../hooks/call-within.js'
import { realTimer } from '../hooks/timer.js'
import type { Rung } from '../log/edit.js'
import type { ReliefDecision } from './relief-decision.js'
import type { ReliefParts } from './relief-parts.js'
import { spanState } from './span-state.js'

/** An offer, who made it, and what its span looked like then. */
export interface HeardOffer {
  readonly owner: string
  readonly name: string
  readonly rung: Rung
  readonly offer: Offer
  readonly state: string
}

/** Asks all reliefs of a rung at once; the cheapest offer first. One that throws, or offers nothing that can be used, is told of and left out. */
export async function hearOffers(
  parts: ReliefParts,
  rung: Rung,
  need: Need,
  pressure: ReliefDecision['pressure'],
): Promise<readonly HeardOffer[]> {
  const view = parts.view()
  const limits = { signal: need.signal, timeout: Number.POSITIVE_INFINITY, timer: parts.timer ?? realTimer }
  const asked = parts.reliefs().filter(({ item }) => item.rung === rung)
  const heard = await Promise.all(
    asked.map(async ({ owner, item }): Promise<HeardOffer[]> => {
      const { name } = item
      const skip = (verdict: 'failed' | 'void', reason: string) => {
        parts.emit({ type: 'relief', decision: { verdict, reason, pressure, owner, name, rung } })
        return []
      }
      try {
        const offer = await callWithin(limits, (signal) => item.offer(view, { ...need, signal }))
        if (offer === undefined) return []
        const state = spanState(parts.conversation.projection, offer.span)
        if (state === undefined) return skip('void', 'Its span is not in view.')
        if (!(offer.frees > 0) || !(offer.dollars >= 0)) return skip('void', 'It offers to free nothing.')
        return [{ owner, name, rung, offer, state }]
      } catch (error) {
        if (need.signal.aborted) return []
        return skip('failed', error instanceof Error ? error.message : String(error))
      }
    }),
  )
  return heard.flat().sort((a, b) => a.offer.dollars - b.offer.dollars)
}
