import { type Change, type Draft, estimateBlock, type Offer, type Relief, type View } from '@nacre/core'
import { clearChanges } from '../clear/clear-changes.js'
import type { FoundCall } from '../clear/find-calls.js'
import { tokenFactor } from '../clear/token-factor.js'
import type { Parts } from '../parts.js'
import { eraseSpan } from './erase-span.js'
import { findUses, type Use } from './find-uses.js'
import { ownErases } from './own-erases.js'
import { refKey } from './ref-key.js'

/** A line takes so many tokens, about. */
const LINE = 110

/**
 * What was deleted from a cache is there again once the cache is gone: then it is cleared for good, by a line for each
 * result, and the deletions are taken back. All is written anew at that moment anyway.
 */
export function expiredRelief(parts: Parts): Relief {
  return {
    name: 'expired',
    rung: 'erase',
    offer(view, need): Offer | undefined {
      if (!parts.flag('cached') || !need.model.can.has('cache-edits') || !need.pace.isCold) return undefined
      const erased = findUses(view).filter(({ result }) => result.shows === 'erased')
      const span = eraseSpan(
        view,
        erased.map(({ result }) => result.ref),
      )
      const back = erased.reduce((sum, { result }) => sum + Math.max(1, estimateBlock(result.block) - LINE), 0)
      const tokens = (estimate: number) => estimate * tokenFactor(view)
      return span && { span, frees: Math.ceil(tokens(back)), dollars: 0, draft: () => draftOf(parts, view, erased) }
    },
  }
}

async function draftOf(parts: Parts, view: View, erased: readonly Use[]): Promise<Draft> {
  const targets = new Set(erased.map(({ result }) => refKey(result.ref)))
  const edits = (await ownErases(parts.store)).filter(({ changes }) =>
    changes.some((change) => change.kind === 'erase' && targets.has(refKey(change.target))),
  )
  const reverts = edits.map(({ id }): Change => ({ kind: 'revert', edit: id }))
  const factor = tokenFactor(view)
  const options = { others: [], recall: parts.recall(), tokens: (estimate: number) => estimate * factor }
  const count = erased.length === 1 ? '1 result' : `${erased.length} results`
  return {
    changes: [...reverts, ...clearChanges(erased.map(toCall), options)],
    reason: `cleared ${count} that had been deleted from a cache that is gone`,
  }
}

function toCall({ name, call, result, round }: Use): FoundCall {
  const use = { ref: call.ref, block: call.block }
  const found = { ref: result.ref, block: result.block }
  return { name, use, result: found, round, resultFrees: 1, inputFrees: 0 }
}
