import type { Edit, Id, SessionStore } from '@nacre/core'

/** The plugin's own edits that erase and are in force, oldest first. */
export async function ownErases(store: SessionStore): Promise<readonly Edit[]> {
  const edits: Edit[] = []
  for await (const entry of store.read()) if (entry.kind === 'edit') edits.push(entry)
  const taken = new Set<Id>()
  const alive: Edit[] = []
  // What takes an edit back comes after it.
  for (const edit of edits.toReversed()) {
    if (taken.has(edit.id)) continue
    alive.unshift(edit)
    for (const change of edit.changes) if (change.kind === 'revert') taken.add(change.edit)
  }
  return alive.filter(({ owner, changes }) => owner === 'compact' && changes.every(({ kind }) => kind === 'erase'))
}
