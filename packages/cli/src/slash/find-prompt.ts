import type { Session } from '@nacre/core'
import { type FoundId, findId } from './find-id.js'
import { promptsInView } from './prompts-in-view.js'

/** A prompt by its number in the list of `/rewind`, or a message by its id. */
export function findPrompt(typed: string, session: Pick<Session, 'view'>): FoundId {
  const view = session.view()
  const prompts = promptsInView(view)
  const byNumber = /^\d{1,6}$/.test(typed) ? prompts[Number(typed) - 1] : undefined
  if (byNumber) return byNumber
  const ids = view.rounds.flatMap(({ entries }) => entries.map(({ id }) => id))
  const found = findId(typed, ids, 'message')
  return 'wrong' in found ? { wrong: `${found.wrong} /rewind lists what you have said, with numbers and ids.` } : found
}
