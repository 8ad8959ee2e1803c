import { resolveModel, type Spent } from '@nacre/core'
import type { LedgerEntry } from '@nacre/simulator'

/** Ends after which nobody told the client how much was written. */
const BROKEN_OFF = new Set(['cut', 'stall', 'left', 'stream-error'])

/** What the API names as written when an answer begins. */
const FIRST_OUTPUT = 1

/** What a session can know of what was billed: all of it, but for the output of answers that broke off. */
export function expectedBill(entries: readonly LedgerEntry[]): Spent {
  const sums = { requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0 }
  for (const entry of entries) {
    if (entry.status !== 200) continue
    const { input, read, write5m, write1h, model } = entry
    const output = BROKEN_OFF.has(entry.end) ? FIRST_OUTPUT : entry.output
    const price = resolveModel(model, { window: 200_000 }).price(input + read + write5m + write1h)
    sums.requests += 1
    sums.input += input
    sums.output += output
    sums.cacheRead += read
    sums.cacheWrite5m += write5m
    sums.cacheWrite1h += write1h
    sums.dollars += entry.dollars - ((entry.output - output) * price.output) / 1e6
  }
  return sums
}
