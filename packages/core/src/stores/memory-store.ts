import type { Lease, SessionSummary, Store } from '../contract/store.js'
import type { Entry, Id } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import { type MemoryRecord, memorySession } from './memory-session.js'
import { promptTitle, statedTitle } from './session-title.js'

const HOLDER = 'another opener in this process'

/** Sessions that end with the process. It holds one project, so `list` gives the same for each. */
export function memoryStore(): Store {
  const records = new Map<Id, MemoryRecord>()
  const sessions = new Set<Id>()
  const leases = new Set<string>()
  return {
    async open(session, signal) {
      mustGoOn(signal)
      if (sessions.has(session)) {
        const message = `Session ${session} is held by ${HOLDER}. Close it there, or fork it.`
        throw new NacreError('SESSION_BUSY', message, { holder: HOLDER })
      }
      sessions.add(session)
      const record = records.get(session) ?? { entries: [], blobs: new Map() }
      records.set(session, record)
      return memorySession(session, record, () => sessions.delete(session))
    },
    async peek(session) {
      return (records.get(session)?.entries ?? []).map((text) => JSON.parse(text) as Entry)
    },
    async *list() {
      const summaries = [...records].flatMap(([id, { entries }]) => summary(id, entries))
      yield* summaries.sort((one, other) => other.time - one.time)
    },
    async lease(name, signal) {
      mustGoOn(signal)
      if (leases.has(name)) return undefined
      leases.add(name)
      return leaseOf(() => leases.delete(name))
    },
  }
}

/** A lease that ends once: releasing it again must not end the next holder's. */
function leaseOf(end: () => void): Lease {
  let isHeld = true
  return {
    async release() {
      if (isHeld) end()
      isHeld = false
    },
  }
}

function mustGoOn(signal: AbortSignal): void {
  if (signal.aborted) throw new NacreError('ABORTED', 'Stopped before the store was asked.', { cause: signal.reason })
}

function summary(id: Id, texts: readonly string[]): SessionSummary[] {
  const entries = texts.map((text) => JSON.parse(text) as Entry)
  const last = entries.at(-1)
  if (last === undefined) return []
  const stated = entries.map(statedTitle).findLast((title) => title !== undefined)
  const prompted = entries.map(promptTitle).find((title) => title !== undefined)
  return [{ id, title: stated ?? prompted ?? '', time: last.time }]
}
