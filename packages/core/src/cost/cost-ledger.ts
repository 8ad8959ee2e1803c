import type { Source } from '../contract/fork.js'
import type { Usage } from '../log/entry.js'
import { addUsage, NO_USAGE, promptTokens } from './usage.js'

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
  return { ...addUsage(a, b), requests: a.requests + b.requests }
}
