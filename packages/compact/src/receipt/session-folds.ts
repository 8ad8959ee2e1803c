import type { Edit, Entry, Id, Receipt, SessionStore, View } from '@nacre/core'
import { wholeLog } from '../recall/whole-log.js'

/** A fold of the session, and whether it is still in force. */
export interface SessionFold {
  readonly edit: Edit
  readonly receipt: Receipt
  readonly isUndone: boolean
}

/** All folds of a session that have a receipt, the oldest first, also those of the log before a checkpoint. */
export async function sessionFolds(store: SessionStore, view: View): Promise<readonly SessionFold[]> {
  const edits: Edit[] = []
  const log = await wholeLog(store, view)
  for await (const entry of log()) if (isEdit(entry)) edits.push(entry)
  const undone = takenBack(edits)
  return edits.flatMap((edit) => (edit.receipt ? [{ edit, receipt: edit.receipt, isUndone: undone.has(edit.id) }] : []))
}

function isEdit(entry: Entry): entry is Edit {
  return entry.kind === 'edit'
}

/** Edits that a revert in force takes back; a revert comes after what it reverts, so one walk from the end tells. */
function takenBack(edits: readonly Edit[]): ReadonlySet<Id> {
  const undone = new Set<Id>()
  for (const { id, changes } of edits.toReversed()) {
    if (undone.has(id)) continue
    for (const change of changes) if (change.kind === 'revert') undone.add(change.edit)
  }
  return undone
}
