import { createReadStream } from 'node:fs'
import type { SessionStore } from '@nacre/core'
import type { Spool } from './spool.js'

/** Stores whose blobs are no files: what goes there can't be read by path, and may stay in memory. */
const pathless = new WeakSet<SessionStore>()

/** Moves a long output to the blobs of the session, where it lives as long as the log. Else it stays where it is. */
export async function keepOutput(spool: Spool, name: string, store?: SessionStore): Promise<string | undefined> {
  if (spool.path === undefined || !store || pathless.has(store)) return spool.path
  try {
    const { path } = await store.put(name, createReadStream(spool.path))
    if (path !== undefined) {
      await spool.remove()
      return path
    }
    pathless.add(store)
  } catch {
    // No room there: the file is still here.
  }
  return spool.path
}
