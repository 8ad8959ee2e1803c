import type { Edit, Entry, Id, Receipt, SessionStore, View } from '@nacre/core'

/** A fold of the session, and whether it is still in force. */
export interface SessionFold {
  readonly edit: Edit
  readonly receipt: Receipt
  readonly isUndone: boolean
}

/** All folds of a session that have a receipt, the oldest first, also those of the log before a checkpoint. */
export async function sessionFolds(store: SessionStore, view: View): Promise<readonly SessionFold[]> {
  const edits: Edit[] = []
  for await (const entry of store.read(firstEntry(view))) if (isEdit(entry)) edits.push(entry)
  const undone = takenBack(edits)
  return edits.flatMap((edit) => (edit.receipt ? [{ edit, receipt: edit.receipt, isUndone: undone.has(edit.id) }] : []))
}

/** Where the log begins: a store reads from the last checkpoint on unless told. */
function firstEntry(view: View): Id | undefined {
  const checkpoint = view.state('core', 'checkpoint')
  const { first } = Object(checkpoint) as { readonly first?: unknown }
  return typeof first === 'string' ? first : undefined
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
