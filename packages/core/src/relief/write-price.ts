import type { ReliefParts } from './relief-parts.js'

/** Dollars for a million tokens written to the cache, for as long as the session keeps them there. */
export function writePrice(parts: ReliefParts, promptTokens: number): number {
  const { write5m, write1h } = parts.model().price(promptTokens)
  return parts.pace().ttl === '1h' ? write1h : write5m
}
