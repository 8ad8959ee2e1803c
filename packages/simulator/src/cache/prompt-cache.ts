import type { Position } from '../prompt/build-prompt.js'
import type { Ttl } from '../wire.js'

const LIFETIME: Readonly<Record<Ttl, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 }
const LOOKBACK = 20

/** Input tokens by price class. Together they are the whole prompt. */
export interface InputUsage {
  readonly read: number
  readonly write5m: number
  readonly write1h: number
  readonly input: number
}

export interface CachePlan extends InputUsage {
  /** Called when the response begins: only then are the entries there for others. */
  commit(): void
}

export interface PromptCache {
  /** Says what a request reads and writes. `now` is when it began. */
  plan(positions: readonly Position[], total: number, minimum: number, now: number): CachePlan
  size(): number
}

export interface PromptCacheOptions {
  /** Whether a read keeps every marked position alive or only the one that was hit. */
  readonly refresh: 'marked' | 'hit'
}

/** The prompt cache by the documented rules: entries at markers only, a short look back, two lifetimes. */
export function promptCache({ refresh }: PromptCacheOptions): PromptCache {
  const entries: Readonly<Record<Ttl, Map<string, number>>> = { '5m': new Map(), '1h': new Map() }

  const find = (chain: string, now: number): Ttl | undefined => {
    if ((entries['1h'].get(chain) ?? 0) > now) return '1h'
    return (entries['5m'].get(chain) ?? 0) > now ? '5m' : undefined
  }
  // Deleting first keeps each map in order of expiry, so that old entries are all at its front. A request that began
  // earlier but is answered later must not take away what a later one gave.
  const store = (chain: string, ttl: Ttl, now: number) => {
    const expires = Math.max(now + LIFETIME[ttl], entries[ttl].get(chain) ?? 0)
    entries[ttl].delete(chain)
    entries[ttl].set(chain, expires)
  }
  const sweep = (map: Map<string, number>, now: number) => {
    for (const [chain, expires] of map) {
      if (expires > now) break
      map.delete(chain)
    }
  }

  return {
    plan(positions, total, minimum, now) {
      const marked = markedPositions(positions)
      const hit = findHit(positions, marked, (chain) => find(chain, now) !== undefined)
      const { read, afterLong, afterAll } = split(positions, marked, hit, minimum)
      const chainRead = hit === undefined ? undefined : (positions[hit] as Position).chain
      const lifetime = chainRead === undefined ? undefined : find(chainRead, now)
      return {
        read,
        write1h: afterLong - read,
        write5m: afterAll - afterLong,
        input: total - afterAll,
        commit() {
          sweep(entries['5m'], now)
          sweep(entries['1h'], now)
          if (chainRead !== undefined && lifetime) store(chainRead, lifetime, now)
          for (const index of marked) {
            const { chain, tokens, ttl } = positions[index] as Position
            const live = find(chain, now)
            if (live && refresh === 'marked') store(chain, live, now)
            else if (!live && tokens >= minimum) store(chain, ttl ?? '5m', now)
          }
        },
      }
    },
    size: () => entries['5m'].size + entries['1h'].size,
  }
}

function markedPositions(positions: readonly Position[]): number[] {
  const marked: number[] = []
  for (let index = 0; index < positions.length; index++) if (positions[index]?.ttl) marked.push(index)
  return marked
}

/** From each marker, last one first: that position, then back, twenty positions in all. */
function findHit(
  positions: readonly Position[],
  marked: readonly number[],
  isLive: (chain: string) => boolean,
): number | undefined {
  for (let at = marked.length - 1; at >= 0; at--) {
    const marker = marked[at] as number
    const end = Math.max(0, marker - LOOKBACK + 1)
    for (let index = marker; index >= end; index--) {
      if (isLive((positions[index] as Position).chain)) return index
    }
  }
  return undefined
}

/** The tokens that are read, and those up to the last marker that is written for an hour, and up to the last of all. */
function split(positions: readonly Position[], marked: readonly number[], hit: number | undefined, minimum: number) {
  const read = hit === undefined ? 0 : (positions[hit] as Position).tokens
  let afterLong = read
  let afterAll = read
  for (const index of marked) {
    const { tokens, ttl } = positions[index] as Position
    if (tokens < minimum || (hit !== undefined && index <= hit)) continue
    if (ttl === '1h') afterLong = tokens
    afterAll = tokens
  }
  return { read, afterLong, afterAll }
}
