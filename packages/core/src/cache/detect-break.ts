import type { Prices } from '../contract/model.js'
import type { Usage } from '../log/entry.js'
import { findImages } from './find-images.js'
import type { Prediction, Suspect } from './prediction.js'
import type { SentPrefix } from './sent-prefix.js'

const SHARE = 0.05
const TOKENS = 2_000

/** A cache read that should have been and was not: why, whose doing, and what it cost. */
export interface CacheBreak extends Suspect {
  /** Tokens that should have been read, that were, and the difference. */
  readonly predicted: number
  readonly read: number
  readonly tokens: number
  readonly dollars: number
}

export interface SentAndRead {
  readonly sent: SentPrefix
  readonly prediction: Prediction
  readonly usage: Usage
  readonly deletedTokens: number
}

/** Compares what a request read with what was predicted. */
export function detectBreak(read: SentAndRead, prices: Prices): CacheBreak | undefined {
  const { sent, prediction, usage, deletedTokens } = read
  const { before } = prediction
  // What was deleted since can not be read, and has not to be.
  const predicted = prediction.tokens - Math.max(0, deletedTokens - prediction.deletedTokens)
  const tokens = predicted - usage.cacheRead
  if (tokens <= TOKENS || tokens <= predicted * SHARE) return undefined
  // Looked for only now, since it means to look at every block.
  const images = prediction.suspect.cause === 'server' ? findImages(before, sent) : undefined
  const suspect = images ?? prediction.suspect
  const dollars = (tokens * (paid(usage, prices) - prices.read)) / 1_000_000
  return { ...suspect, predicted, read: usage.cacheRead, tokens, dollars }
}

/** What a token that was not read cost instead: written again for as long as the rest, or plain input. */
function paid({ cacheWrite5m, cacheWrite1h }: Usage, prices: Prices): number {
  const written = cacheWrite5m + cacheWrite1h
  if (written === 0) return prices.input
  return (cacheWrite5m * prices.write5m + cacheWrite1h * prices.write1h) / written
}
