import type { Round } from '@nacre/core'
import { isPrompt } from './is-prompt.js'

/** The round in which a person spoke last; -1 where nobody has in what is still whole. */
export function lastPromptRound(rounds: readonly Round[]): number {
  return rounds.findLastIndex(({ entries }) => entries.some(isPrompt))
}
