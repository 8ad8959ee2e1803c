import type { Entry } from '@nacre/core'

/**
 * Where a read begins: at the first entry that the last checkpoint needs, unless the fold that it belongs to was taken
 * back. From the end on: whatever takes something back stands behind it.
 */
export function startOfView(entries: readonly Entry[]): number {
  const reverted = new Set<string>()
  for (const entry of entries.toReversed()) {
    if (entry.kind === 'edit' && !reverted.has(entry.id)) {
      for (const change of entry.changes) if (change.kind === 'revert') reverted.add(change.edit)
    }
    if (entry.kind !== 'state' || entry.owner !== 'core' || entry.key !== 'checkpoint') continue
    const { from, edit } = entry.value as { readonly from: string; readonly edit: string }
    if (!reverted.has(edit)) return entries.findIndex(({ id }) => id === from)
  }
  return 0
}
