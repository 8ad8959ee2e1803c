import { hashOf } from '../hash.js'
import { LOOKBACK, positionOf } from '../request/markers.js'
import type { RenderedMessage } from '../request/user-turn.js'
import { estimateBlock } from '../tokens/estimate.js'
import type { Suspect } from '../types/events.js'
import type { BlockPosition } from '../types/model.js'
import { findDivergence, type SentPrefix, sharedEnd } from './prefix.js'

const UNREACHED: Suspect = {
  cause: 'markers',
  owner: 'core',
  what: `no marker within ${LOOKBACK} blocks behind what is cached`,
}

/**
 * What was cached of the last request and is sent again should be read again. Only when something of it is not sent
 * again somebody has to look closer.
 */
export function predictRead(cached: CachedRequest, after: SentPrefix): Prediction | undefined {
  const { sent: before, entries } = cached
  const last = entries.at(-1)
  if (!last || after.markers.length === 0) return undefined
  const share = sharedEnd(before, after)
  if (share && !isShared(last, share)) return predictAfterChange(cached, after, share)
  const suspect = isExpired(before, after) ? expired(before, after) : isReached(last, after) ? SERVER : UNREACHED
  return promise(before, after, last, suspect)
}

/**
 * What should be read of a request that does not go on from all of the last one: all that is sent again, whatever
 * somebody changed before it, but nothing of what a rewind or a fold took away.
 */
function predictAfterChange(
  { sent: before, entries }: CachedRequest,
  after: SentPrefix,
  share: BlockPosition,
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
  share: BlockPosition,
  before: SentPrefix,
  after: SentPrefix,
): CacheEntry | undefined {
  return entries.findLast(
    (entry) => isShared(entry, share) && after.time - entry.time < before.lifetime && isReached(entry, after),
  )
}

/** Estimated tokens behind a place that the later conversation has no more. It costs what stands behind that place. */
function removedTokens(
  before: readonly RenderedMessage[],
  after: readonly RenderedMessage[],
  from: BlockPosition | undefined,
): number {
  if (!from) return 0
  const kept = new Set<string>()
  for (const { blocks } of after.slice(from.message)) {
    // What the server leaves out now is sent again, and still gone.
    for (const { block, weight } of blocks) if (weight === undefined) kept.add(hashOf(block))
  }
  return before.slice(from.message).reduce((sum, message) => sum + missingIn(message, kept), 0)
}

/** A message's tokens are known as a whole; its missing blocks have their share of them. */
function missingIn({ blocks, tokens, start }: RenderedMessage, kept: ReadonlySet<string>): number {
  const missing = blocks.filter(({ block, weight }) => weight === undefined && !kept.has(hashOf(block)))
  if (missing.length === 0) return 0
  if (missing.length === blocks.length) return tokens - start
  const weigh = (parts: typeof blocks) =>
    parts.reduce((sum, { block, weight = estimateBlock(block) }) => sum + weight, 0)
  return ((tokens - start) * weigh(missing)) / Math.max(1, weigh(blocks))
}

/** A place up to which the server has cached a conversation, with the tokens that it counted there. */
export interface CacheEntry extends BlockPosition {
  readonly tokens: number
  readonly deletedTokens: number
  /** When it was written or read last. */
  readonly time: number
}

/** An answered request, and what it left in the cache: earliest place first. */
export interface CachedRequest {
  readonly sent: SentPrefix
  readonly entries: readonly CacheEntry[]
}

/** What a request should read from the cache, told before it is sent. */
export interface Prediction {
  readonly tokens: number
  /** Tokens that were deleted when that was written. */
  readonly deletedTokens: number
  readonly before: SentPrefix
  readonly suspect: Suspect
}

const SERVER: Suspect = { cause: 'server', owner: 'server', what: 'no difference in what was sent' }

/** Whether a place stands before the first difference. */
export function isShared({ message, block }: BlockPosition, difference: BlockPosition | undefined): boolean {
  if (!difference) return true
  return message < difference.message || (message === difference.message && block < difference.block)
}

export function isExpired(before: SentPrefix, after: SentPrefix): boolean {
  return after.time - before.time >= before.lifetime
}

/** What a request is promised, if that is enough to be cached at all. */
function promise(
  before: SentPrefix,
  after: SentPrefix,
  entry: CacheEntry | undefined,
  suspect: Suspect,
): Prediction | undefined {
  if (!entry) return undefined
  const { tokens, deletedTokens } = entry
  return tokens < after.cacheMinimum ? undefined : { tokens: Math.round(tokens), deletedTokens, before, suspect }
}

/** The server looks at each marker and a few blocks back from it. */
function isReached({ message, block }: BlockPosition, { messages, markers }: SentPrefix): boolean {
  const position = positionOf(messages, { level: 'message', message, block })
  return markers.some((marker) => {
    if (marker.level !== 'message') return false
    const distance = positionOf(messages, marker) - position
    return distance >= 0 && distance < LOOKBACK
  })
}

/** Too late for what was cached. */
function expired(before: SentPrefix, after: SentPrefix): Suspect {
  const seconds = (milliseconds: number) => Math.round(milliseconds / 1_000)
  const what = `${seconds(after.time - before.time)} s since the last request; entries live ${seconds(before.lifetime)} s`
  return { cause: 'expired', owner: 'core', what }
}
