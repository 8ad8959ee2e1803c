import type { RenderedMessage } from '../request/user-turn.js'
import { promptTokens } from '../tokens/cost.js'
import type { CacheBreak, Suspect } from '../types/events.js'
import type { Block, Usage } from '../types/log.js'
import type { Prices } from '../types/model.js'
import { type CachedRequest, type CacheEntry, isExpired, isShared, type Prediction, predictRead } from './predict.js'
import { type SentPrefix, sharedEnd } from './prefix.js'

/** Conversations that are remembered: helpers come and go, and each keeps one. */
const SOURCES = 64
/** Entries that are remembered of one conversation: a rewind behind them is promised nothing. */
const ENTRIES = 32

/** Watches the cache, conversation by conversation. One has one request under way at a time. */
interface BreakWatch {
  /**
   * Before a call: what it should read. For the first request of a conversation nothing is promised, unless it extends
   * another: then all that the other has cached.
   */
  sent(conversation: string, prefix: SentPrefix, extended?: CachedRequest): Prediction | undefined
  /** After it, with all tokens that the server says are deleted. A request that is never answered is forgotten. */
  answered(conversation: string, usage: Usage, prices: Prices, deletedTokens?: number): FoundRead | undefined
  /** What the cache has of a conversation, by the last request to a model. */
  cached(conversation: string, model: string): CachedRequest | undefined
  /** It is over. */
  forget(conversation: string): void
}

/** A break before it is known whose request it was. */
export type FoundRead = Omit<CacheBreak, 'source'>

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
  const sources = new Map<string, Watched>()
  return {
    sent(source, prefix, extended) {
      const watched: Watched = sources.get(source) ?? { requests: new Map() }
      const reference = referenceOf(watched.requests, prefix) ?? extended
      const prediction = reference && predictRead(reference, prefix)
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
      // The server has run the model more than once, and not said what each run read.
      if (promptTokens(usage) === 0) return undefined
      const { prefix, prediction } = waiting
      const key = prefix.model
      // Without markers a request neither reads nor writes: what was cached before it still is.
      if (prefix.markers.length > 0) {
        moveToEnd(watched.requests, key, toCached(watched.requests.get(key), prefix, usage, deletedTokens))
      }
      return prediction && detectBreak({ sent: prefix, prediction, usage, deletedTokens }, prices)
    },
    cached: (source, model) => sources.get(source)?.requests.get(model),
    forget: (source) => void sources.delete(source),
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

const SHARE = 0.05
const TOKENS = 2_000

interface SentAndRead {
  readonly sent: SentPrefix
  readonly prediction: Prediction
  readonly usage: Usage
  readonly deletedTokens: number
}

/** Compares what a request read with what was predicted. */
function detectBreak(read: SentAndRead, prices: Prices): FoundRead | undefined {
  const { sent, prediction, usage, deletedTokens } = read
  const { before } = prediction
  // What was deleted since can not be read, and has not to be.
  const predicted = prediction.tokens - Math.max(0, deletedTokens - prediction.deletedTokens)
  const tokens = predicted - usage.cacheRead
  if (tokens <= TOKENS || tokens <= predicted * SHARE) return undefined
  // Looked for only now, since it means to look at every block.
  const images = prediction.suspect.cause === 'server' ? findImages(before, sent) : undefined
  const suspect = images ?? prediction.suspect
  const dollars = (tokens * (paid(usage, prices) - prices.read)) / 1_000_000
  return { ...suspect, predicted, read: usage.cacheRead, tokens, dollars }
}

/** What a token that was not read cost instead: written again for as long as the rest, or plain input. */
function paid({ cacheWrite5m, cacheWrite1h }: Usage, prices: Prices): number {
  const written = cacheWrite5m + cacheWrite1h
  if (written === 0) return prices.input
  return (cacheWrite5m * prices.write5m + cacheWrite1h * prices.write1h) / written
}

/** The server reads a conversation with images in another way than one without: the first one costs all that was cached. */
function findImages(before: SentPrefix, after: SentPrefix): Suspect | undefined {
  return firstImage(before.messages) ? undefined : firstImage(after.messages)
}

function firstImage(messages: readonly RenderedMessage[]): Suspect | undefined {
  for (const [message, { blocks }] of messages.entries()) {
    const block = blocks.findIndex((each) => isImage(each.block))
    const owner = blocks[block]?.owner
    if (owner === undefined) continue
    return { cause: 'images', owner, what: `the first image came in message ${message}`, place: { message, block } }
  }
  return undefined
}

function isImage({ type, content }: Block): boolean {
  return type === 'image' || (type === 'tool_result' && Array.isArray(content) && (content as Block[]).some(isImage))
}
