import type { BlockRef, Edit, Id } from '@nacre/core'

/** Edits that a revert in force takes back; a revert comes after what it reverts, so one walk from the end tells. */
export function revertedEdits(edits: readonly Edit[]): ReadonlySet<Id> {
  const reverted = new Set<Id>()
  for (const { id, changes } of edits.toReversed()) {
    if (reverted.has(id)) continue
    for (const change of changes) if (change.kind === 'revert') reverted.add(change.edit)
  }
  return reverted
}

/** A block as a key. */
export function refKey({ entry, block }: BlockRef): string {
  return `${entry}/${block}`
}
