import { outsideBaits } from './outside-baits.js'
import { outsideFacts } from './outside-facts.js'
import { outsideMoreBaits } from './outside-more-baits.js'
import { bait, type CorpusConversation, fact, talk } from './types.js'

/** Each bait and each fact of the outside tester as a conversation of its own. */
export const outside: readonly CorpusConversation[] = [
  ...[...outsideBaits, ...outsideMoreBaits].map(([kind, label, messages, type, statement, quote]) =>
    talk([kind, 'held-out', label], messages, { bait: [bait(type, statement.slice(0, 40), statement, quote)] }),
  ),
  ...outsideFacts.map(([label, messages, type, statement, quote]) =>
    talk(['honest', 'held-out', label], messages, { facts: [fact(type, statement, quote)] }),
  ),
]

/** Two without any sign that they are not meant, and a 'next Friday' that may be this week's: rules of words let them pass. */
export const KNOWN_TO_PASS: readonly string[] = ['j3', 'j4', 'x1']
