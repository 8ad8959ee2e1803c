import type { ModelInfo } from '../contract/model.js'
import type { Usage } from '../log/entry.js'
import { promptTokens } from './usage.js'

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
