import type { Split, Ttl } from './prompt-cache.js'

/** A position as the oracle sees it: what it says, what it weighs, and whether it is marked. */
export interface OraclePosition {
  readonly says: string
  readonly tokens: number
  readonly ttl: Ttl | undefined
}

interface Entry {
  readonly ttl: Ttl
  expires: number
}

const WINDOW = 20
const MILLISECONDS = { '5m': 300_000, '1h': 3_600_000 }

/** The documented rules of the prompt cache in the plainest words, to hold the server against. */
export function cacheOracle(minimum: number): (positions: readonly OraclePosition[], now: number) => Split {
  const entries = new Map<string, Entry>()
  return (positions, now) => {
    const key = (index: number) => JSON.stringify(positions.slice(0, index + 1).map(({ says }) => says))
    const upTo = (index: number) => positions.slice(0, index + 1).reduce((sum, { tokens }) => sum + tokens, 0)
    const entryAt = (index: number) => {
      const entry = entries.get(key(index))
      return entry && entry.expires > now ? entry : undefined
    }
    const marked = positions.flatMap(({ ttl }, index) => (ttl ? [index] : []))
    const seen = marked.flatMap((marker) => Array.from({ length: WINDOW }, (_, back) => marker - back))
    const hit = Math.max(-1, ...seen.filter((index) => index >= 0 && entryAt(index)))

    const fresh = marked.filter((index) => index > hit && upTo(index) >= minimum)
    const a = upTo(hit)
    const b = upTo(Math.max(hit, ...fresh.filter((index) => positions[index]?.ttl === '1h')))
    const c = upTo(Math.max(hit, ...fresh))

    for (const index of [hit, ...marked].filter((each) => each >= 0)) {
      const ttl = entryAt(index)?.ttl ?? positions[index]?.ttl ?? '5m'
      if (upTo(index) >= minimum) entries.set(key(index), { ttl, expires: now + MILLISECONDS[ttl] })
    }
    return { read: a, write1h: b - a, write5m: c - b, input: upTo(positions.length - 1) - c }
  }
}
