import type { Source } from '../types/fork.js'
import type { Usage } from '../types/log.js'
import type { ModelInfo } from '../types/model.js'

/** What was billed, and how often. */
export interface Spent extends Usage {
  readonly requests: number
}

export interface CostTotals extends Spent {
  /** The share of all input tokens that was read from the cache. */
  readonly hitRate: number
}

/** What one source has spent on one model; a log of an earlier version does not tell which. */
export interface SpentBy extends Spent {
  readonly source: Source
  readonly model?: string
}

/** Tokens by price class and dollars, by who asked whom. */
export interface CostLedger {
  add(source: Source, usage: Usage, model?: string): void
  /** Everything, or one source's part of it. */
  totals(source?: Source): CostTotals
  sources(): readonly Source[]
  list(): readonly SpentBy[]
  /** For a checkpoint. */
  state(): Readonly<Record<string, Spent>>
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0 }

const NOTHING: Spent = { ...NO_USAGE, requests: 0 }

/** Stands between source and model in a key: no source has one in its name. */
const BETWEEN = '\t'

export function createCostLedger(saved: Readonly<Record<string, Spent>> = {}): CostLedger {
  const byKey = new Map<string, Sums>(Object.entries(saved).map(([key, spent]) => [key, { ...spent }]))
  const list = (): SpentBy[] =>
    [...byKey].map(([key, spent]) => {
      const [source = '', model] = key.split(BETWEEN)
      return { ...spent, source, ...(model && { model }) }
    })
  return {
    add(source, usage, model) {
      const key = model ? source + BETWEEN + model : source
      const spent = byKey.get(key) ?? { ...NOTHING }
      byKey.set(key, spent)
      addTo(spent, usage, 1)
    },
    totals(wanted) {
      const sum = { ...NOTHING }
      for (const part of list()) if (wanted === undefined || part.source === wanted) addTo(sum, part, part.requests)
      const prompt = promptTokens(sum)
      return { ...sum, hitRate: prompt === 0 ? 0 : sum.cacheRead / prompt }
    },
    sources: () => [...new Set(list().map(({ source }) => source))],
    list,
    state: () => Object.fromEntries([...byKey].map(([key, spent]) => [key, { ...spent }])),
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

/** Tokens by price class, not priced yet. */
export type TokenCounts = Omit<Usage, 'dollars'>

/** Dollars for one run of a model; the size of its prompt decides the price. */
export function priceUsage(model: Pick<ModelInfo, 'price'>, tokens: TokenCounts): number {
  const prices = model.price(promptTokens(tokens))
  const sum =
    tokens.input * prices.input +
    tokens.cacheRead * prices.read +
    tokens.cacheWrite5m * prices.write5m +
    tokens.cacheWrite1h * prices.write1h +
    tokens.output * prices.output
  return sum / 1_000_000
}

/** All that the model read, whatever it cost. */
export function promptTokens(usage: Omit<Usage, 'output' | 'dollars'>): number {
  return usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
    cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
    dollars: a.dollars + b.dollars,
  }
}
