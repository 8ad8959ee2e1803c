import type { NewEntry } from '../conversation/conversation.js'
import { coreState } from '../log/timeline.js'
import type { Edit, Id, Price, Receipt, StateEntry } from '../types/log.js'
import type { Projection } from '../view/projection.js'
import { isStopped, readBreaker } from './breaker.js'
import { type ReliefContext, tellStop } from './context.js'
import type { PreparedDraft } from './draft.js'

/** Appends a draft that is ready, with its receipt and what has to survive a resume, and tells everybody. */
export async function appendPrepared(
  context: ReliefContext,
  prepared: PreparedDraft,
): Promise<Edit | { readonly refused: string }> {
  const { conversation } = context
  const { proposal, receipt, task } = prepared
  const view = context.view()
  const wasStopped = isStopped(readBreaker(view.state('core', 'relief')))
  // Asked for before the edit: what is called while it is in the view and not in the log must not throw.
  const kept = prepared.startsView ? context.checkpoint() : undefined
  const entries = (edit: Edit): NewEntry<StateEntry>[] => [
    breakerEntry(prepared, edit.price),
    ...(kept ? [checkpointEntry(conversation.projection, edit, kept)] : []),
  ]
  const receiptFor = (shown: Receipt) => (price: Price, id: Id) =>
    prepared.isShown ? { ...shown, undo: id } : priced(shown, price, id)
  const details = receipt && { receipt: receiptFor(receipt), entries }
  const edit = await conversation.edit(proposal, details)
  if ('refused' in edit) return edit
  context.emit({ type: 'edit', edit })
  if (edit.receipt) context.emit({ type: 'receipt', receipt: edit.receipt })
  await context.hooks.collect('ViewChanged', { edit, view: context.view() })
  const breaker = readBreaker(context.view().state('core', 'relief'))
  if (receipt && task.trigger !== 'manual' && !wasStopped && isStopped(breaker)) await tellStop(context, breaker)
  return edit
}

function priced(receipt: Receipt, { freed, dollars }: Price, id: Id): Receipt {
  const { before } = receipt.tokens
  return {
    ...receipt,
    undo: id,
    tokens: { before, after: before - freed },
    dollars: { ...receipt.dollars, rewrite: dollars },
  }
}

function breakerEntry({ task, receipt }: PreparedDraft, { freed }: Price): NewEntry<StateEntry> {
  return coreState('relief', task.afterFold(freed / Math.max(1, receipt?.tokens.before ?? 1)))
}

/** Where a resume may start once a fold from the start is in force, and what it needs to know of the log before it. */
function checkpointEntry(
  projection: Projection,
  edit: Edit,
  kept: { readonly [key: string]: unknown },
): NewEntry<StateEntry> {
  return coreState('checkpoint', { ...kept, from: firstInView(projection, edit), edit: edit.id })
}

/** A note may stand in the log before the turn that it waits for, so edits count as well as messages. */
function firstInView({ timeline, alive }: Projection, edit: Edit): Id {
  const fold = edit.changes.find((change) => change.kind === 'fold')
  const end = (fold && timeline.place(fold.span.to)?.round) ?? -1
  const message = timeline.rounds[end + 1]?.entries[0]
  const places = [
    ...(message ? [timeline.place(message.id)] : []),
    timeline.edits.find(({ entry, round }) => round > end && alive().has(entry.id)),
    timeline.place(edit.id),
  ]
  const known = places.filter((place) => place !== undefined).sort((a, b) => a.ordinal - b.ordinal)
  return known[0]?.entry.id ?? edit.id
}
