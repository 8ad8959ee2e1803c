import { type Draft, type Erase, estimateBlock, type Need, type Offer, type Relief, type View } from '@nacre/core'
import {
  clearChanges,
  type FoundCall,
  goesByCache,
  isClearedLine,
  LINE_TOKENS,
  mayClear,
  resultText,
} from '../clear/clear-calls.js'
import type { LayerContext } from '../layer/layer.js'
import { refKey } from '../log/edits.js'
import { eraseSpan, findUses, oldUses, revertErases, type SeenBlock, type ToolUse } from './uses.js'

/** From so many results on that are still seen, the old ones go. */
const ACTIVE = 12

/**
 * Deletes old results from the server's cache by reference. Nothing is written again, so there is nothing to wait for
 * but that they are enough to be worth an edit.
 */
export function cachedRelief(layer: LayerContext): Relief {
  const { settings } = layer
  return {
    name: 'cached',
    rung: 'erase',
    offer(view, need): Offer | undefined {
      if (!goesByCache(need, layer)) return undefined
      const isPinned = ({ ref }: SeenBlock) => need.trigger === 'auto' && view.isPinned(ref)
      const isActive = ({ name, result }: ToolUse) =>
        mayClear(name, need, settings) && !isPinned(result) && hasMore(view, result)
      if (need.pressure === 'idle' && findUses(view).filter(isActive).length < ACTIVE) return undefined
      const targets = oldUses(view, need, settings, settings.keep)
        .filter(isActive)
        .map(({ result }) => result.ref)
      const span = eraseSpan(view, targets)
      if (!span) return undefined
      const estimate = targets.flatMap(view.shown).reduce((sum, block) => sum + estimateBlock(block), 0)
      const changes = targets.map((target): Erase => ({ kind: 'erase', target }))
      const reason = `deleted ${targets.length} old ${targets.length === 1 ? 'result' : 'results'} from the cache`
      return {
        span,
        frees: need.tokens(estimate),
        dollars: 0,
        keepsCache: true,
        draft: () => ({ changes, reason }),
      }
    },
  }
}

/** Whether more is left of a result than the line that stands for a cleared one. */
function hasMore(view: View, { ref, shows }: SeenBlock): boolean {
  if (shows !== 'changed') return shows === 'whole'
  return view.shown(ref).some((block) => !isClearedLine(resultText(block)))
}

/**
 * What was deleted from a cache is there again once the cache is gone: then it is cleared for good, by a line for each
 * result, and the deletions are taken back. All is written anew at that moment anyway.
 */
export function expiredRelief(layer: LayerContext): Relief {
  return {
    name: 'expired',
    rung: 'erase',
    offer(view, need): Offer | undefined {
      if (!layer.flag('cached') || !need.model.can.has('cache-edits') || !need.pace.isCold) return undefined
      const erased = findUses(view).filter(({ result }) => result.shows === 'erased')
      const span = eraseSpan(
        view,
        erased.map(({ result }) => result.ref),
      )
      const back = erased.reduce((sum, { result }) => sum + Math.max(1, estimateBlock(result.block) - LINE_TOKENS), 0)
      return span && { span, frees: need.tokens(back), dollars: 0, draft: () => draftOf(layer, need, erased) }
    },
  }
}

async function draftOf(layer: LayerContext, { tokens }: Need, erased: readonly ToolUse[]): Promise<Draft> {
  const targets = new Set(erased.map(({ result }) => refKey(result.ref)))
  const reverts = await revertErases(layer.store, targets)
  const options = { others: [], recall: layer.recall(), tokens }
  const count = erased.length === 1 ? '1 result' : `${erased.length} results`
  return {
    changes: [...reverts, ...clearChanges(erased.map(toCall), options)],
    reason: `cleared ${count} that had been deleted from a cache that is gone`,
  }
}

function toCall({ name, call, result, round }: ToolUse): FoundCall {
  return { name, use: call, result, round, resultFrees: 1, inputFrees: 0 }
}
