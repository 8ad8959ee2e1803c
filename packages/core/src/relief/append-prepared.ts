import { coreState } from '../log/core-state.js'
import type { Edit, Price, Receipt } from '../log/edit.js'
import type { Id, StateEntry } from '../log/entry.js'
import type { Draft } from '../session/conversation.js'
import { estimateEpoch } from '../tokens/estimate-epoch.js'
import { isStopped, readBreaker } from './breaker.js'
import { checkpointEntry } from './checkpoint-entry.js'
import type { PreparedDraft } from './prepare-draft.js'
import type { ReliefParts } from './relief-parts.js'
import { tellStop } from './tell-stop.js'

/** Appends a draft that is ready, with its receipt and what has to survive a resume, and tells everybody. */
export async function appendPrepared(
  parts: ReliefParts,
  prepared: PreparedDraft,
): Promise<Edit | { readonly refused: string }> {
  const { conversation } = parts
  const { proposal, receipt, task } = prepared
  const view = parts.view()
  const wasStopped = isStopped(readBreaker(view.state('core', 'relief')))
  // Asked for before the edit: what is called while it is in the view and not in the log must not throw.
  const kept = prepared.startsView ? parts.checkpoint() : undefined
  const known = view.state('core', 'checkpoint')
  const entries = (edit: Edit): Draft<StateEntry>[] => [
    breakerEntry(parts, prepared, edit.price),
    ...(kept ? [checkpointEntry(conversation.projection, edit, known, kept)] : []),
  ]
  const receiptFor = (shown: Receipt) => (price: Price, id: Id) =>
    prepared.isShown ? { ...shown, undo: id } : priced(parts, shown, price, id)
  const details = receipt && { receipt: receiptFor(receipt), entries }
  const edit = await conversation.edit(proposal, details)
  if ('refused' in edit) return edit
  parts.emit({ type: 'edit', edit })
  if (edit.receipt) parts.emit({ type: 'receipt', receipt: edit.receipt })
  await parts.hooks.collect('ViewChanged', { edit, view: parts.view() })
  const breaker = readBreaker(parts.view().state('core', 'relief'))
  if (receipt && task.trigger !== 'manual' && !wasStopped && isStopped(breaker)) await tellStop(parts, breaker)
  return edit
}

function priced(parts: ReliefParts, receipt: Receipt, price: Price, id: Id): Receipt {
  return {
    ...receipt,
    undo: id,
    tokens: { before: receipt.tokens.before, after: sizeNow(parts, receipt.tokens.before, price) },
    dollars: { ...receipt.dollars, rewrite: price.dollars },
  }
}

/** The part of what was counted before that is left by estimate: an estimate of its own may be far from that count. */
function sizeNow({ conversation }: ReliefParts, before: number, { freed }: Price): number {
  const left = conversation.rendering().tokens + estimateEpoch(conversation.epoch())
  return Math.round(before * (left / Math.max(1, left + freed)))
}

function breakerEntry(parts: ReliefParts, { task, receipt }: PreparedDraft, price: Price): Draft<StateEntry> {
  const before = Math.max(1, receipt?.tokens.before ?? 1)
  const share = (before - sizeNow(parts, before, price)) / before
  return coreState('relief', task.afterFold(share))
}
