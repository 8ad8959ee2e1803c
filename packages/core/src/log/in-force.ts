import type { Edit } from './edit.js'
import type { Id } from './entry.js'

/** The edits that no edit in force takes back. Reverts come after what they revert, so one walk from the end tells. */
export function inForce(edits: readonly Edit[]): Set<Id> {
  const reverted = new Set<Id>()
  const alive = new Set<Id>()
  for (const edit of edits.toReversed()) {
    if (reverted.has(edit.id)) continue
    alive.add(edit.id)
    for (const change of edit.changes) if (change.kind === 'revert') reverted.add(change.edit)
  }
  return alive
}
