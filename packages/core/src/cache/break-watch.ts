import type { Source } from '../contract/fork.js'
import type { Prices } from '../contract/model.js'
import type { Usage } from '../log/entry.js'
import { type CacheBreak, detectBreak } from './detect-break.js'
import { predictRead } from './predict-read.js'
import { type CachedRequest, type CacheEntry, isExpired, isShared, type Prediction } from './prediction.js'
import type { SentPrefix } from './sent-prefix.js'
import { sharedEnd } from './shared-end.js'

/** Sources that are remembered: helpers come and go, and each keeps a conversation. */
const SOURCES = 16
/** Entries that are remembered of one conversation: a rewind behind them is promised nothing. */
const ENTRIES = 32

/** Watches the cache, source by source. A source has one request under way at a time. */
export interface BreakWatch {
  /** Before a call: what it should read. Nothing is promised for a first request. */
  sent(source: Source, prefix: SentPrefix): Promise<Prediction | undefined>
  /** After it, with all tokens that the server says are deleted. A request that is never answered is forgotten. */
  answered(source: Source, usage: Usage, prices: Prices, deletedTokens?: number): CacheBreak | undefined
}

interface Waiting {
  readonly prefix: SentPrefix
  readonly prediction: Prediction | undefined
}

interface Watched {
  /** By model, since each has a cache of its own; the last one asked is the last in order. */
  readonly requests: Map<string, CachedRequest>
  waiting?: Waiting | undefined
}

export function createBreakWatch(): BreakWatch {
  const sources = new Map<Source, Watched>()
  return {
    async sent(source, prefix) {
      const watched: Watched = sources.get(source) ?? { requests: new Map() }
      const reference = referenceOf(watched.requests, prefix)
      const prediction = reference && (await predictRead(reference, prefix))
      watched.waiting = { prefix, prediction }
      moveToEnd(sources, source, watched)
      const [oldest] = sources.keys()
      if (oldest !== undefined && sources.size > SOURCES) sources.delete(oldest)
      return prediction
    },
    answered(source, usage, prices, deletedTokens = 0) {
      const watched = sources.get(source)
      const waiting = watched?.waiting
      if (!watched || !waiting) return undefined
      watched.waiting = undefined
      const { prefix, prediction } = waiting
      const key = prefix.model
      // Without markers a request neither reads nor writes: what was cached before it still is.
      if (prefix.markers.length > 0) {
        moveToEnd(watched.requests, key, toCached(watched.requests.get(key), prefix, usage, deletedTokens))
      }
      return prediction && detectBreak({ sent: prefix, prediction, usage, deletedTokens }, prices)
    },
  }
}

/** The last request to the same model, while what it cached lives; else the last one to any. */
function referenceOf(requests: ReadonlyMap<string, CachedRequest>, prefix: SentPrefix): CachedRequest | undefined {
  const own = requests.get(prefix.model)
  return own && !isExpired(own.sent, prefix) ? own : [...requests.values()].at(-1)
}

/** What the cache holds once a request is answered: what it shares with the one before it, and its own end. */
function toCached(
  before: CachedRequest | undefined,
  sent: SentPrefix,
  usage: Usage,
  deletedTokens: number,
): CachedRequest {
  const end = before && sharedEnd(before.sent, sent)
  const known = before?.entries.filter((entry) => isShared(entry, end)) ?? []
  const shared = known.map((entry) => touch(entry, sent, usage, deletedTokens))
  const own = ownEntry(sent, usage, deletedTokens)
  const others = shared.filter(({ message, block }) => !own || message !== own.message || block !== own.block)
  return { sent, entries: [...others, ...(own ? [own] : [])].slice(-ENTRIES) }
}

/** Reading keeps alive: the tokens that were read tell which entry it was. */
function touch(entry: CacheEntry, { time }: SentPrefix, { cacheRead }: Usage, deletedTokens: number): CacheEntry {
  const left = entry.tokens - Math.max(0, deletedTokens - entry.deletedTokens)
  return left === cacheRead ? { ...entry, time } : entry
}

/** All that was read and written ends at the last marker. */
function ownEntry({ markers, time }: SentPrefix, usage: Usage, deletedTokens: number): CacheEntry | undefined {
  const tokens = usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h
  const places = markers.flatMap((marker) => (marker.level === 'message' ? [marker] : []))
  const last = places.reduce<(typeof places)[number] | undefined>(
    (far, place) => (far && isShared(place, far) ? far : place),
    undefined,
  )
  if (!last || tokens === 0) return undefined
  return { message: last.message, block: last.block, tokens, deletedTokens, time }
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
}
