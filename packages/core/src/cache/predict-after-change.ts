import type { Place } from './first-difference.js'
import {
  type CachedRequest,
  type CacheEntry,
  expired,
  isExpired,
  isReached,
  isShared,
  type Prediction,
  promise,
  SERVER,
} from './prediction.js'
import { findDivergence } from './prefix-ledger.js'
import { removedTokens } from './removed-tokens.js'
import type { SentPrefix } from './sent-prefix.js'

/**
 * What should be read of a request that does not go on from all of the last one: all that is sent again, whatever
 * somebody changed before it, but nothing of what a rewind or a fold took away.
 */
export function predictAfterChange(
  { sent: before, entries }: CachedRequest,
  after: SentPrefix,
  share: Place,
): Prediction | undefined {
  const divergence = findDivergence(before, after)
  if (!divergence) return promise(before, after, sharedEntry(entries, share, before, after), SERVER)
  const last = entries.at(-1)
  if (!last) return undefined
  const tokens = last.tokens - removedTokens(before.messages, after.messages, share)
  const suspect = isExpired(before, after) ? expired(before, after) : divergence
  return promise(before, after, { ...last, tokens }, suspect)
}

/** The furthest entry of what both requests have that is alive and in reach. */
function sharedEntry(
  entries: readonly CacheEntry[],
  share: Place,
  before: SentPrefix,
  after: SentPrefix,
): CacheEntry | undefined {
  return entries.findLast(
    (entry) => isShared(entry, share) && after.time - entry.time < before.lifetime && isReached(entry, after),
  )
}
