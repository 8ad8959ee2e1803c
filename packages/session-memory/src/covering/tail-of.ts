import { estimateBlock, type MessageEntry, type Round, type View } from '@nacre/core'
import type { Place } from './first-after.js'

/** What stands behind a place. */
export interface Tail {
  readonly tokens: number
  readonly calls: number
}

export function tailOf({ rounds }: View, { round: start, entry }: Place): Tail {
  let tokens = 0
  let calls = 0
  for (const [index, round] of rounds.slice(start).entries()) {
    const entries = index === 0 ? round.entries.slice(entry) : round.entries
    tokens += round.tokens * (index === 0 && entry > 0 ? shareOf(entries, round) : 1)
    calls += entries.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_use').length
  }
  return { tokens, calls }
}

function shareOf(entries: readonly MessageEntry[], round: Round): number {
  return sizeOf(entries) / Math.max(1, sizeOf(round.entries))
}

function sizeOf(entries: readonly MessageEntry[]): number {
  return entries.flatMap(({ content }) => content).reduce((sum, block) => sum + estimateBlock(block), 0)
}
