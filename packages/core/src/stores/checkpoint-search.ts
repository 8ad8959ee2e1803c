import type { Entry, Id } from '../log/entry.js'

/** Where a resume may start: the first entry in view, and the fold without which that would not be true. */
export interface Checkpoint {
  readonly from: Id
  readonly edit: Id
}

/**
 * Takes entries from the newest back, and answers when it meets the last checkpoint in force. A revert stands behind
 * what it reverts, so whatever decides about a checkpoint has been seen before it.
 */
export function checkpointSearch(): (entry: Entry) => Checkpoint | undefined {
  const reverted = new Set<Id>()
  return (entry) => {
    if (entry.kind === 'edit' && !reverted.has(entry.id)) {
      for (const change of entry.changes) if (change.kind === 'revert') reverted.add(change.edit)
    }
    const checkpoint = checkpointIn(entry)
    return checkpoint !== undefined && !reverted.has(checkpoint.edit) ? checkpoint : undefined
  }
}

/** What a checkpoint entry says; `undefined` for any other entry. */
export function checkpointIn(entry: Entry): Checkpoint | undefined {
  if (entry.kind !== 'state' || entry.owner !== 'core' || entry.key !== 'checkpoint') return undefined
  const value = entry.value
  if (typeof value !== 'object' || value === null || !('from' in value) || !('edit' in value)) return undefined
  const { from, edit } = value
  return typeof from === 'string' && typeof edit === 'string' ? { from, edit } : undefined
}
