import type { MessageEntry, Round } from '@nacre/core'

/** Whether a person said it: neither a result of a call nor words of the runtime. */
export function isPrompt(entry: MessageEntry): boolean {
  return entry.kind === 'user' && !entry.isMeta && entry.content.some(({ type }) => type !== 'tool_result')
}

/** The round in which a person spoke last; -1 where nobody has in what is still whole. */
export function lastPromptRound(rounds: readonly Round[]): number {
  return rounds.findLastIndex(({ entries }) => entries.some(isPrompt))
}
