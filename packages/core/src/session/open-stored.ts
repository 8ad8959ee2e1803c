import type { SessionStore, Store } from '../contract/store.js'
import type { Id } from '../log/entry.js'
import { type ReadLog, readLog } from './read-log.js'

/** A session's log, held for this process. */
export interface Opened {
  readonly id: Id
  readonly store: SessionStore
  readonly log: ReadLog
  readonly start: 'startup' | 'resume' | 'fork'
}

/** Opens a session by its id, which may be one that is there already. */
export async function openById(store: Store, id: Id, signal: AbortSignal): Promise<Opened> {
  const opened = await openHeld(store, id, signal)
  return { ...opened, start: opened.log.entries.length > 0 ? 'resume' : 'startup' }
}

/** Opens one and reads it; lets it go when that fails. */
export async function openHeld(store: Store, id: Id, signal: AbortSignal): Promise<Omit<Opened, 'start'>> {
  const session = await store.open(id, signal)
  try {
    return { id, store: session, log: await readLog(session) }
  } catch (error) {
    await session.close()
    throw error
  }
}
