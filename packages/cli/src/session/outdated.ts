import type { PromptChanges, Session } from '@nacre/core'
import { cleanText } from '../terminal/clean-text.js'

/** So much of an id is shown, and is enough to name an edit. */
const SHORT_ID = 8

/** Takes the prompt of today up, and says what came of it. */
export async function takeUp(session: Session): Promise<string> {
  const changes = await session.outdated()
  const edit = await session.takeUp()
  if (!edit) return 'The system prompt and the tools are those of today already.'
  const what = changes ? describeChanges(changes) : 'what belongs to this session, such as the date'
  const price = `$${edit.price.dollars.toFixed(4)}`
  return `Taken up: ${what}. To cache it anew costs about ${price}. /undo ${edit.id.slice(0, SHORT_ID)} brings back what was.`
}

/** For a person whose session goes on with a prompt that is no longer that of today. */
export function describeOutdated(changes: PromptChanges): string {
  return `This session goes on with the system prompt and the tools that it had. Otherwise today: ${describeChanges(changes)}. /take-up, or --take-up at the start, goes on with those of today; what is cached is then written anew.`
}

function describeChanges({ sections, tools }: PromptChanges): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['texts', sections],
    ['new tools', tools.added],
    ['tools that are gone', tools.gone],
    ['changed tools', tools.changed],
  ]
  const named = parts.filter(([, names]) => names.length > 0)
  // Names come from servers of tools too.
  return cleanText(named.map(([what, names]) => `${what}: ${names.join(', ')}`).join('; '))
}
