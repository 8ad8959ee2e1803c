import { type BreakerState, stopNotice } from './breaker.js'
import type { ReliefParts } from './relief-parts.js'

/** Tells people that automatic compaction has stopped. */
export async function tellStop(parts: ReliefParts, breaker: BreakerState): Promise<void> {
  const text = stopNotice(breaker)
  await parts.conversation.append({ kind: 'notice', owner: 'core', level: 'warning', text })
}
