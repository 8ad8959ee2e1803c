import type { CompactPlan, Draft, Offer } from '@nacre/core'
import { isByHand } from './is-by-hand.js'
import type { Reach } from './reach.js'
import { type SummaryFigures, summaryFigures } from './summary-figures.js'
import type { SummaryTask } from './summary-task.js'

/** The offer to summarise by one of the ways; nobody waits twice for a model that is out of reach. */
export function summaryOffer(
  task: SummaryTask,
  way: keyof SummaryFigures['dollars'],
  reach: Reach,
  draft: (plan: CompactPlan) => Promise<Draft>,
): Offer {
  const { frees, dollars } = summaryFigures(task)
  if (isByHand(task.need)) reach.forget()
  return {
    span: task.span,
    frees,
    dollars: dollars[way],
    draft: (plan) => reach.attempt(task.view, () => draft(plan)),
  }
}
