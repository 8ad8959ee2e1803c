import type { Source } from '../contract/fork.js'
import type { Usage } from '../log/entry.js'
import { NO_USAGE, promptTokens } from './usage.js'

/** What was billed, and how often. */
export interface Spent extends Usage {
  readonly requests: number
}

export interface CostTotals extends Spent {
  /** The share of all input tokens that was read from the cache. */
  readonly hitRate: number
}

/** Tokens by price class and dollars, by who asked. */
export interface CostLedger {
  add(source: Source, usage: Usage): void
  /** Everything, or one source's part of it. */
  totals(source?: Source): CostTotals
  sources(): readonly Source[]
  /** For a checkpoint. */
  state(): Readonly<Record<string, Spent>>
}

const NOTHING: Spent = { ...NO_USAGE, requests: 0 }

export function createCostLedger(saved: Readonly<Record<string, Spent>> = {}): CostLedger {
  const bySource = new Map<Source, Sums>(Object.entries(saved).map(([source, spent]) => [source, { ...spent }]))
  return {
    add(source, usage) {
      const spent = bySource.get(source) ?? { ...NOTHING }
      bySource.set(source, spent)
      addTo(spent, usage, 1)
    },
    totals(source) {
      const parts = source === undefined ? [...bySource.values()] : [bySource.get(source) ?? NOTHING]
      const sum = { ...NOTHING }
      for (const part of parts) addTo(sum, part, part.requests)
      const prompt = promptTokens(sum)
      return { ...sum, hitRate: prompt === 0 ? 0 : sum.cacheRead / prompt }
    },
    sources: () => [...bySource.keys()],
    state: () => Object.fromEntries([...bySource].map(([source, spent]) => [source, { ...spent }])),
  }
}

type Sums = { -readonly [Key in keyof Spent]: number }

/** In place: a log is read back with one of these for each of its answers. */
function addTo(sums: Sums, usage: Usage, requests: number): void {
  sums.requests += requests
  sums.input += usage.input
  sums.output += usage.output
  sums.cacheRead += usage.cacheRead
  sums.cacheWrite5m += usage.cacheWrite5m
  sums.cacheWrite1h += usage.cacheWrite1h
  sums.dollars += usage.dollars
}
