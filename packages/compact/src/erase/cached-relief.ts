import { type Erase, estimateBlock, type Offer, type Relief } from '@nacre/core'
import { mayClear } from '../clear/may-clear.js'
import { pinnedBlocks } from '../clear/pinned-blocks.js'
import { tokenFactor } from '../clear/token-factor.js'
import type { Parts } from '../parts.js'
import { eraseSpan } from './erase-span.js'
import { findUses, type Use } from './find-uses.js'
import { oldUses } from './old-uses.js'

/** From so many results on that are still seen, the old ones go. */
const ACTIVE = 12

/**
 * Deletes old results from the server's cache by reference. Nothing is written again, so there is nothing to wait for
 * but that they are enough to be worth an edit.
 */
export function cachedRelief({ settings, flag, store }: Parts): Relief {
  const pinned = pinnedBlocks(store)
  return {
    name: 'cached',
    rung: 'erase',
    async offer(view, need): Promise<Offer | undefined> {
      if (!flag('cached') || !need.model.can.has('cache-edits') || need.pace.isCold) return undefined
      const isPinned = need.pressure === 'overflow' ? () => false : await pinned(view)
      const active = findUses(view).filter((use) => mayClear(use.name, need, settings) && isSeen(use))
      if (need.pressure === 'idle' && active.length < ACTIVE) return undefined
      const old = oldUses(view, need, settings, settings.keep).filter(isSeen)
      const targets = old.map(({ result }) => result.ref).filter((target) => !isPinned(target))
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

function isSeen({ result: { shows } }: Use): boolean {
  return shows !== 'erased'
}
