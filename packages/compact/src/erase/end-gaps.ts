import type { Handler, View } from '@nacre/core'
import type { Parts } from '../parts.js'
import { findUses } from './find-uses.js'
import { goesByApi } from './goes-by-api.js'
import { ownErases } from './own-erases.js'
import { refKey } from './ref-key.js'

/**
 * The API clears from the start on. Where a person has brought back what it cleared, or what stands before that, it can
 * not be asked for the rest any more: then that is brought back too, so that the view says what the model sees.
 */
export function endGaps({ store, model }: Parts): Handler<'ViewChanged'> {
  return async ({ edit, view }, { propose }) => {
    if (!goesByApi(model) || edit.owner === 'compact' || !edit.changes.some(({ kind }) => kind === 'revert')) return
    const lost = behindGap(view)
    if (lost.size === 0) return
    const edits = (await ownErases(store)).filter(({ changes }) =>
      changes.some((change) => change.kind === 'erase' && lost.has(refKey(change.target))),
    )
    const changes = edits.map(({ id }) => ({ kind: 'revert' as const, edit: id }))
    // Installed between two requests, which this handler must not wait for.
    if (changes.length > 0) void propose({ changes, reason: 'the API clears from the start on only' }).catch(() => {})
  }
}

/** Results that are erased behind one that is not, of tools whose results are erased at all. */
function behindGap(view: View): ReadonlySet<string> {
  const uses = findUses(view)
  const names = new Set(uses.filter(({ result }) => result.shows === 'erased').map(({ name }) => name))
  const gap = uses.findIndex(({ name, result }) => names.has(name) && result.shows !== 'erased')
  const behind = gap === -1 ? [] : uses.slice(gap).filter(({ result }) => result.shows === 'erased')
  return new Set(behind.map(({ result }) => refKey(result.ref)))
}
