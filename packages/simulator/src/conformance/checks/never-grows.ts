import type { Played } from '../act.js'
import type { Problem } from '../finding.js'
import { mainRequests } from '../main-requests.js'
import type { EntryLike } from '../session-like.js'

/**
 * Every edit of the plugin that changes what a request has carried already. What it makes of a result before it is
 * sent may be larger than the result, and so may what it takes back.
 */
export function neverGrows({ entries, requests }: Played, plugin: string): readonly Problem[] {
  const sent = mainRequests(requests)
  const places = new Map(entries.map(({ id }, index) => [id, index]))
  return entries.flatMap((edit, index): readonly Problem[] => {
    if (edit.kind !== 'edit' || edit.owner !== plugin || (edit.price?.freed ?? 0) >= 0) return []
    const before = sent.findLast(({ logged }) => logged <= index)
    const wasSent = (id: string | undefined) => (places.get(id ?? '') ?? index) < (before?.logged ?? 0)
    if (!isRelief(edit, wasSent)) return []
    const step = before?.step ?? 0
    const kinds = edit.changes?.map(({ kind }) => kind).join(', ')
    const added = Math.ceil(-(edit.price?.freed ?? 0))
    return [{ check: 'never-grows', step, detail: `an edit (${kinds}) adds ${added} tokens` }]
  })
}

function isRelief({ changes = [] }: EntryLike, wasSent: (entry: string | undefined) => boolean): boolean {
  if (changes.some(({ kind }) => kind === 'revert')) return false
  return changes.some(({ kind, target, span }) => kind !== 'insert' && wasSent(target?.entry ?? span?.from))
}
