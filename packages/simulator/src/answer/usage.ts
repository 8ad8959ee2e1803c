import { type ModelSpec, priceFor } from '../models/model-spec.js'
import type { InputUsage } from '../prompt/prompt-cache.js'

/** The tokens of one run of the model. */
export interface Iteration extends InputUsage {
  readonly type: 'message' | 'compaction'
  readonly output: number
  readonly thinking: number
}

export const NO_TOKENS: InputUsage = { read: 0, write5m: 0, write1h: 0, input: 0 }

export function promptTokens(usage: InputUsage): number {
  return usage.read + usage.write5m + usage.write1h + usage.input
}

/** What the runs that count as the answer add up to. */
export function sumMessages(iterations: readonly Iteration[]): Iteration {
  return sumOf(iterations, (each) => each.type === 'message')
}

/** What all runs add up to, summaries included: what is billed. */
export function sumAll(iterations: readonly Iteration[]): Iteration {
  return sumOf(iterations, () => true)
}

function sumOf(iterations: readonly Iteration[], counts: (each: Iteration) => boolean): Iteration {
  const only = iterations[0]
  if (only && iterations.length === 1 && counts(only)) return only
  const sum = { type: 'message' as const, read: 0, write5m: 0, write1h: 0, input: 0, output: 0, thinking: 0 }
  for (const each of iterations) {
    if (!counts(each)) continue
    sum.read += each.read
    sum.write5m += each.write5m
    sum.write1h += each.write1h
    sum.input += each.input
    sum.output += each.output
    sum.thinking += each.thinking
  }
  return sum
}

/** Dollars for a search of the web, whatever the model. */
const WEB_SEARCH = 0.01

/** Dollars for all runs and searches; the size of each run's prompt decides its tier. */
export function dollars(spec: ModelSpec, iterations: readonly Iteration[], webSearches: number): number {
  let cost = 0
  for (const each of iterations) {
    const price = priceFor(spec, promptTokens(each))
    cost +=
      each.input * price.input +
      each.read * price.read +
      each.write5m * price.write5m +
      each.write1h * price.write1h +
      each.output * price.output
  }
  return cost / 1_000_000 + webSearches * WEB_SEARCH
}
