import { type Erase, estimateBlock, type Offer, type Relief, type View } from '@nacre/core'
import { isClearedLine } from '../clear/cleared-line.js'
import { mayClear } from '../clear/may-clear.js'
import { pinnedBlocks } from '../clear/pinned-blocks.js'
import { resultText } from '../clear/result-text.js'
import { tokenFactor } from '../clear/token-factor.js'
import type { Parts } from '../parts.js'
import { eraseSpan } from './erase-span.js'
import { findUses, type SeenBlock, type Use } from './find-uses.js'
import { goesByCache } from './goes-by-cache.js'
import { oldUses } from './old-uses.js'

/** From so many results on that are still seen, the old ones go. */
const ACTIVE = 12

/**
 * Deletes old results from the server's cache by reference. Nothing is written again, so there is nothing to wait for
 * but that they are enough to be worth an edit.
 */
export function cachedRelief(parts: Parts): Relief {
  const { settings, store } = parts
  const pinned = pinnedBlocks(store)
  return {
    name: 'cached',
    rung: 'erase',
    async offer(view, need): Promise<Offer | undefined> {
      if (!goesByCache(need, parts)) return undefined
      const isPinned = need.pressure === 'overflow' ? () => false : await pinned(view)
      const isActive = ({ name, result }: Use) =>
        mayClear(name, need, settings) && !isPinned(result.ref) && hasMore(view, result)
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
        frees: Math.floor(estimate * tokenFactor(view)),
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
