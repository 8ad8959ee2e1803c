import type { Need, Span, View } from '@nacre/core'
import type { Parts } from '../parts.js'
import { isLongAgo } from './choose-calls.js'

/**
 * Whether a cut for money alone would cost the model what it has thought. Where thinking is bound to what stands before
 * it, the API itself can clear results without that, so those who let it are not made to pay with their thoughts.
 */
export function losesThinking(view: View, need: Need, { flag }: Parts, { from }: Span): boolean {
  const { thinking, can } = need.model
  const hasOtherWay = thinking === 'bound' && can.has('context-management') && flag('api')
  if (!hasOtherWay || isLongAgo(need)) return false
  const first = view.rounds.findIndex(({ entries }) => entries.some(({ id }) => id === from))
  const behind = view.rounds.slice(first).flatMap(({ entries }) => entries.flatMap(({ content }) => content))
  return behind.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
}
