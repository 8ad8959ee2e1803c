import type { Store } from '../contract/store.js'
import type { Id } from '../log/entry.js'
import { copyTo } from './open-kept.js'
import type { Opened } from './open-stored.js'
import { readWholeLog } from './read-log.js'
import type { Runtime } from './runtime.js'

/** This session's log as that of a new one. */
export async function copyOf({ store, options, senses, status }: Runtime, at: Id | undefined): Promise<Opened> {
  const entries = await readWholeLog(store, status.first as Id)
  return copyTo(options.store as Store, entries, at, senses.newId(), new AbortController().signal)
}
