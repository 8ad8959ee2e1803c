import type { CompactEvent } from '../contract/hooks.js'
import type { Receipt } from '../log/edit.js'
import type { Span } from '../log/entry.js'
import { readBreaker } from './breaker.js'
import type { ReliefParts } from './relief-parts.js'

export interface CompactCause {
  readonly trigger: Receipt['trigger']
  readonly instructions?: string
  readonly dryRun: boolean
}

/** What the hooks of a compaction are told. */
export function compactEvent(
  parts: ReliefParts,
  { trigger, instructions, dryRun }: CompactCause,
  span: Span,
): CompactEvent {
  const view = parts.view()
  return {
    trigger,
    tokens: view.tokens.total,
    span,
    count: readBreaker(view.state('core', 'relief')).folds,
    ...(instructions !== undefined && { instructions }),
    whole: view.rounds[0]?.span.from === span.from,
    dryRun,
  }
}
