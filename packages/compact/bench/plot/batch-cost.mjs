import { pricesAt } from '../prices.mjs'

/**
 * Dollars of a turn where all but `keep` results are cleared whenever `batch` more have come. What comes is written
 * once, what stays is read in every turn, half a batch lies in store on average, and each cut writes the kept ones anew
 * but for the latest, which is in no cache yet.
 * @param {{ share: number, batch: number, keep: number, tokens: number, base: number }} job
 */
export function batchCost({ share, batch, keep, tokens, base }) {
  const { read, write5m } = pricesAt(share)
  const always = write5m * tokens + read * (base + keep * tokens)
  return (always + (read * tokens * batch) / 2 + (write5m * (keep - 1) * tokens) / batch) / 1_000_000
}

/** The batch at which that is lowest. @param {{ share: number, keep: number }} job */
export function lowestBatch({ share, keep }) {
  const { read, write5m } = pricesAt(share)
  return Math.sqrt((2 * (keep - 1) * write5m) / read)
}
