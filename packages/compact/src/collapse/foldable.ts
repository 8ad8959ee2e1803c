import type { Round, View } from '@nacre/core'
import { isComplete } from '../fold-span.js'
import { lastPromptRound } from '../snip/last-prompt-round.js'

/** The last rounds stay as they are, whatever they hold. */
const LAST_ROUNDS = 4

/** What may be folded: all before the round of the last prompt, and what follows it but for the last few rounds. */
export interface Foldable {
  readonly before: readonly Round[]
  readonly after: readonly Round[]
}

/** The two parts of a view in which work is finished; the round of the last prompt stands between them and stays. */
export function foldable({ rounds }: View): Foldable {
  const prompt = lastPromptRound(rounds)
  const open = rounds.findIndex((round) => !isComplete(round))
  const end = (open === -1 ? rounds.length : open) - LAST_ROUNDS
  return {
    before: rounds.slice(0, Math.max(0, Math.min(prompt, end))),
    after: rounds.slice(prompt + 1, Math.max(prompt + 1, end)),
  }
}
