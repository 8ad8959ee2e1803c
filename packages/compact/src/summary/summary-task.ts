import type { Need, Span, View } from '@nacre/core'
import { foldSpan } from '../fold-span.js'
import type { Parts } from '../parts.js'
import { isByHand } from './is-by-hand.js'
import { spanRounds } from './span-rounds.js'

/** What is to be summarised, and for whom. */
export interface SummaryTask {
  readonly parts: Parts
  readonly view: View
  readonly need: Need
  readonly span: Span
}

/** Below it a fold loses more than it saves, whatever the window. */
const LEAST_AT_IDLE = 30_000

/** The task that a need sets, or `undefined` where no summary is wanted or nothing is left to summarise. */
export function summaryTask(parts: Parts, view: View, need: Need): SummaryTask | undefined {
  if (!parts.flag('summary') || isUnwanted(parts, view, need)) return undefined
  const span = foldSpan(view, need)
  if (!span) return undefined
  const isNew = spanRounds(view, span).some(({ entries }) => entries.length > 0)
  return isNew ? { parts, view, need, span } : undefined
}

function isUnwanted({ settings, flag }: Parts, { tokens }: View, need: Need): boolean {
  if (isByHand(need) || need.pressure === 'overflow') return false
  // Finished spans are folded one by one then, in place of automatic summaries.
  if (flag('collapse')) return true
  return need.pressure === 'idle' && (settings.policy !== 'economy' || tokens.total < LEAST_AT_IDLE)
}
