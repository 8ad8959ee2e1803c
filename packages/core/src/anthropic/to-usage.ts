import type { ModelInfo } from '../contract/model.js'
import { priceUsage, type TokenCounts } from '../cost/price-usage.js'
import type { Usage } from '../log/entry.js'
import type { WireUsage } from './wire.js'

export interface ReadUsage {
  /** Tokens as the context has them, with the dollars of all that was billed. */
  readonly usage: Usage
  /** All tokens that were billed, where the server ran the model more than once. */
  readonly billed?: Usage
}

const NOTHING: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }

/**
 * Usage by price class. Where the server ran the model several times, the last answer's run tells the size of the
 * context; summaries that the server made are billed too, and never count as context.
 */
export function toUsage(wire: WireUsage, model: Pick<ModelInfo, 'price'>): ReadUsage {
  const runs = wire.iterations ?? []
  if (runs.length === 0) {
    const tokens = countsOf(wire)
    return { usage: { ...tokens, dollars: priceUsage(model, tokens) } }
  }
  const dollars = runs.reduce((sum, run) => sum + priceUsage(model, countsOf(run)), 0)
  const last = runs.findLast(({ type }) => type === 'message')
  return {
    usage: { ...(last ? countsOf(last) : NOTHING), dollars },
    billed: { ...runs.map(countsOf).reduce(plus, NOTHING), dollars },
  }
}

function countsOf(wire: WireUsage): TokenCounts {
  const writes = wire.cache_creation_input_tokens ?? 0
  // The split comes with the first event only; what it does not name is short-lived.
  const cacheWrite1h = Math.min(writes, wire.cache_creation?.ephemeral_1h_input_tokens ?? 0)
  return {
    input: wire.input_tokens ?? 0,
    output: wire.output_tokens ?? 0,
    cacheRead: wire.cache_read_input_tokens ?? 0,
    cacheWrite5m: writes - cacheWrite1h,
    cacheWrite1h,
  }
}

function plus(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
    cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
  }
}
