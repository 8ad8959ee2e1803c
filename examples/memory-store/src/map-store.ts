import { NacreError, type Store } from '@nacre/core'
import { entriesOf, type Kept } from './kept.js'
import { mapSession } from './map-session.js'
import { summaryOf } from './summary-of.js'

/** A store that keeps sessions in maps. For a database, put its calls in their place. */
export function mapStore(): Store {
  const kept: Kept = { batches: new Map(), blobs: new Map() }
  const held = new Set<string>()

  /** One holder for a name; the way back is good for once. */
  const hold = (name: string, signal: AbortSignal): (() => void) | undefined => {
    if (signal.aborted) throw new NacreError('ABORTED', 'Stopped before the store was asked.')
    if (held.has(name)) return undefined
    held.add(name)
    let isHeld = true
    return () => {
      if (isHeld) held.delete(name)
      isHeld = false
    }
  }

  return {
    async open(session, signal) {
      const release = hold(`session ${session}`, signal)
      if (release) return mapSession(session, kept, release)
      const holder = 'this process'
      throw new NacreError('SESSION_BUSY', `Session ${session} is held by ${holder}. Close it, or fork it.`, { holder })
    },
    async copyBlobs(from, to) {
      for (const [key, bytes] of [...kept.blobs]) {
        const copied = `${to} ${key.slice(from.length + 1)}`
        if (key.startsWith(`${from} `) && !kept.blobs.has(copied)) kept.blobs.set(copied, bytes)
      }
    },
    async *list() {
      const summaries = [...kept.batches].flatMap(([id, batches]) => summaryOf(id, entriesOf(batches)) ?? [])
      yield* summaries.sort((one, other) => other.time - one.time)
    },
    async lease(name, signal) {
      const release = hold(`lease ${name}`, signal)
      return release && { release: async () => release() }
    },
  }
}
