import type { ModelInfo } from '../contract/model.js'
import { priceUsage, type TokenCounts } from '../cost/price-usage.js'
import { addUsage, NO_USAGE } from '../cost/usage.js'
import type { Usage } from '../log/entry.js'
import type { WireUsage } from './wire.js'

export interface ReadUsage {
  /** Tokens as the context has them, with the dollars of all that was billed. */
  readonly usage: Usage
  /** All tokens that were billed, where the server ran the model more than once. */
  readonly billed?: Usage
}

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
    usage: { ...(last ? countsOf(last) : NO_USAGE), dollars },
    billed: { ...runs.map((run) => ({ ...countsOf(run), dollars: 0 })).reduce(addUsage, NO_USAGE), dollars },
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
