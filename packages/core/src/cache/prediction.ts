import { LOOKBACK, positionOf } from '../request/markers.js'
import type { Place } from './first-difference.js'
import type { Divergence, SentPrefix } from './sent-prefix.js'

/** A place up to which the server has cached a conversation, with the tokens that it counted there. */
export interface CacheEntry extends Place {
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

/** Whose doing it is if less is read than was cached. `markers`: none stands near enough to what is cached. */
export interface Suspect extends Omit<Divergence, 'cause'> {
  readonly cause: Divergence['cause'] | 'expired' | 'images' | 'markers' | 'server'
}

/** What a request should read from the cache, told before it is sent. */
export interface Prediction {
  readonly tokens: number
  /** Tokens that were deleted when that was written. */
  readonly deletedTokens: number
  readonly before: SentPrefix
  readonly suspect: Suspect
}

export const SERVER: Suspect = { cause: 'server', owner: 'server', what: 'no difference in what was sent' }

/** Whether a place stands before the first difference. */
export function isShared({ message, block }: Place, difference: Place | undefined): boolean {
  if (!difference) return true
  return message < difference.message || (message === difference.message && block < difference.block)
}

export function isExpired(before: SentPrefix, after: SentPrefix): boolean {
  return after.time - before.time >= before.lifetime
}

/** What a request is promised, if that is enough to be cached at all. */
export function promise(
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
export function isReached({ message, block }: Place, { messages, markers }: SentPrefix): boolean {
  const position = positionOf(messages, { level: 'message', message, block })
  return markers.some((marker) => {
    if (marker.level !== 'message') return false
    const distance = positionOf(messages, marker) - position
    return distance >= 0 && distance < LOOKBACK
  })
}

/** Too late for what was cached. */
export function expired(before: SentPrefix, after: SentPrefix): Suspect {
  const seconds = (milliseconds: number) => Math.round(milliseconds / 1_000)
  const what = `${seconds(after.time - before.time)} s since the last request; entries live ${seconds(before.lifetime)} s`
  return { cause: 'expired', owner: 'core', what }
}
