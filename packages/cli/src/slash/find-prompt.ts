import type { Session } from '@nacre/core'
import { type FoundId, findId } from './find-id.js'
import { promptsInView } from './prompts-in-view.js'

/** So few digits are a number, never the beginning of an id: one that nobody has must not hit a message by chance. */
const NUMBER = /^\d{1,4}$/

/** A prompt by its number in the list of `/rewind`, or a message by its id. */
export function findPrompt(typed: string, session: Pick<Session, 'view'>): FoundId {
  const view = session.view()
  const prompts = promptsInView(view)
  const ids = view.rounds.flatMap(({ entries }) => entries.map(({ id }) => id))
  const found = NUMBER.test(typed)
    ? (prompts[Number(typed) - 1] ?? { wrong: `There is no message ${typed}.` })
    : findId(typed, ids, 'message')
  return 'wrong' in found ? { wrong: `${found.wrong} /rewind lists what you have said, with numbers and ids.` } : found
}
