import type { Source } from '../contract/fork.js'
import type { Usage } from '../log/entry.js'

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

const NOTHING: Spent = { requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0 }

export function createCostLedger(saved: Readonly<Record<string, Spent>> = {}): CostLedger {
  const bySource = new Map<Source, Spent>(Object.entries(saved))
  return {
    add(source, usage) {
      bySource.set(source, plus(bySource.get(source) ?? NOTHING, { ...usage, requests: 1 }))
    },
    totals(source) {
      const parts = source === undefined ? [...bySource.values()] : [bySource.get(source) ?? NOTHING]
      const sum = parts.reduce(plus, NOTHING)
      const prompt = promptTokens(sum)
      return { ...sum, hitRate: prompt === 0 ? 0 : sum.cacheRead / prompt }
    },
    sources: () => [...bySource.keys()],
    state: () => Object.fromEntries(bySource),
  }
}

function plus(a: Spent, b: Spent): Spent {
  return {
    requests: a.requests + b.requests,
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
    cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
    dollars: a.dollars + b.dollars,
  }
}

/** All that the model read, whatever it cost. */
function promptTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h
}
