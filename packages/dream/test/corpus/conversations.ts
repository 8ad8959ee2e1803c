import { datesAndChanges } from './dates-and-changes.js'
import { honest } from './honest.js'
import { injections } from './injections.js'
import { languages } from './languages.js'
import { notMeant } from './not-meant.js'
import { ofTheCode } from './of-the-code.js'
import { secrets } from './secrets.js'
import type { CorpusConversation, Half } from './types.js'

/** All conversations. A later one of a contradiction across conversations stands behind the earlier one. */
export const conversations: readonly CorpusConversation[] = [
  ...injections,
  ...secrets,
  ...ofTheCode,
  ...datesAndChanges,
  ...notMeant,
  ...languages,
  ...honest,
]

/** The conversations of one half: rules are tuned on one, and reported on the other. */
export function halfOf(half: Half): readonly CorpusConversation[] {
  return conversations.filter((each) => each.half === half)
}
