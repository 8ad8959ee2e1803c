import type { ClimbEnd, ClimbOrder } from './climb-order.js'
import { hearOffers } from './hear-offers.js'
import type { ReliefParts } from './relief-parts.js'
import { tryOffer } from './try-offer.js'

/** Goes up rung by rung, and on each from the cheapest offer on, until it is done, vetoed or aborted. */
export async function climb(parts: ReliefParts, order: ClimbOrder): Promise<ClimbEnd> {
  const end: ClimbEnd = { accepted: [], taken: [], untaken: [], reasons: [], hasFailedToFold: false, spent: 0 }
  const isOver = () => order.need.signal.aborted || end.vetoed !== undefined || order.isDone(end)
  for (const rung of order.rungs) {
    if (isOver()) break
    for (const heard of await hearOffers(parts, rung, order.need, order.pressure)) {
      const isTaken = !isOver() && (await tryOffer(parts, order, end, heard))
      const heap = isTaken ? end.taken : end.untaken
      heap.push(heard)
    }
  }
  return end
}
