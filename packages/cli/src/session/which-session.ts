import { NacreError, type OpenSession, type SessionSummary, type Store } from '@nacre/core'
import type { OpenChoice } from '../arguments/run-options.js'
import { ambiguous, matchSessions } from './find-session.js'
import type { OpenNeeds } from './open-needs.js'

/** The session that the command line means; `undefined` for a new one with an id of its own. */
export async function whichSession(
  choice: OpenChoice,
  store: Store,
  { pickSession }: Pick<OpenNeeds, 'pickSession'>,
): Promise<OpenSession | undefined> {
  if (choice.kind === 'new') return choice.id === undefined ? undefined : newSession(choice.id, store)
  const text = choice.kind === 'continue' ? 'latest' : (choice.text ?? '')
  const found = await matchSessions(store, text)
  const id = found.length === 1 ? found[0]?.id : await pick(text, found, pickSession)
  if (id === undefined) throw none(text)
  return choice.fork ? { fork: id } : { resume: id }
}

async function pick(
  text: string,
  found: readonly SessionSummary[],
  pickSession: OpenNeeds['pickSession'],
): Promise<string | undefined> {
  if (found.length === 0) return undefined
  if (!pickSession) throw ambiguous(text, found)
  const chosen = await pickSession(found)
  if (chosen === undefined) throw new NacreError('ABORTED', 'No session was chosen.')
  return chosen
}

/** An id that is taken would go on with what is there, which nobody has asked for. */
async function newSession(id: string, store: Store): Promise<OpenSession> {
  const isTaken = ((await store.peek?.(id)) ?? []).length > 0
  if (!isTaken) return { id }
  const message = `There is a session ${id} already. Go on with it by --resume ${id}, or take another --session-id.`
  throw new NacreError('INVALID_SETTINGS', message)
}

function none(text: string): NacreError {
  const isAny = text === '' || text === 'latest'
  const what = isAny ? 'There is no session in this project yet' : `There is no session '${text}' in this project`
  return new NacreError('SESSION_NOT_FOUND', `${what}. List them with: nacre sessions`)
}
