import type { Prices } from '../contract/model.js'
import type { Usage } from '../log/entry.js'
import { type Divergence, findDivergence, type SentPrefix } from './prefix-ledger.js'

const SHARE = 0.05
const TOKENS = 2_000

/** A cache read that should have been and was not: why, whose doing, and what it cost. */
export interface CacheBreak {
  readonly cause: Divergence['cause'] | 'expired' | 'server'
  readonly owner: string
  readonly block: string | undefined
  readonly tokens: number
  readonly dollars: number
}

export interface SentAndRead {
  readonly sent: SentPrefix
  readonly usage: Usage
}

/** Compares what a request read with what the one before it left in the cache. */
export function detectBreak(before: SentAndRead, after: SentAndRead, prices: Prices): CacheBreak | undefined {
  if (after.sent.isFolded) return undefined
  const cached = before.usage.cacheRead + before.usage.cacheWrite5m + before.usage.cacheWrite1h
  const missed = cached - after.usage.cacheRead
  if (missed <= TOKENS || missed <= cached * SHARE) return undefined
  const { cause, owner, block } = findCause(before.sent, after.sent)
  const dollars = (missed * (prices.write5m - prices.read)) / 1_000_000
  return { cause, owner, block, tokens: missed, dollars }
}

function findCause(before: SentPrefix, after: SentPrefix): Pick<CacheBreak, 'cause' | 'owner' | 'block'> {
  const found = findDivergence(before, after)
  if (found) return { cause: found.cause, owner: found.owner, block: 'block' in found ? found.block : undefined }
  if (after.time - before.time >= before.lifetime) return { cause: 'expired', owner: 'core', block: undefined }
  return { cause: 'server', owner: 'server', block: undefined }
}
