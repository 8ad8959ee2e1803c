import { mustGoOn } from '../async.js'
import { NacreError } from '../errors.js'
import type { Entry, Id } from '../types/log.js'
import type { Blob, Lease, SessionStore, SessionSummary, Store } from '../types/store.js'
import { blobName, isBelowAnother, promptTitle, statedTitle } from './names.js'

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
    async copyBlobs(from, to) {
      const blobs = records.get(to)?.blobs
      for (const [name, bytes] of records.get(from)?.blobs ?? []) if (!blobs?.has(name)) blobs?.set(name, bytes)
    },
    async *list() {
      const summaries = [...records].flatMap(([id, { entries }]) => (isBelowAnother(id) ? [] : summary(id, entries)))
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

function summary(id: Id, texts: readonly string[]): SessionSummary[] {
  const entries = texts.map((text) => JSON.parse(text) as Entry)
  const last = entries.at(-1)
  if (last === undefined) return []
  const stated = entries.map(statedTitle).findLast((title) => title !== undefined)
  const prompted = entries.map(promptTitle).find((title) => title !== undefined)
  return [{ id, title: stated ?? prompted ?? '', time: last.time }]
}

/** What a memory store keeps of a session. Entries are text, so that nobody can change them from outside. */
interface MemoryRecord {
  readonly entries: string[]
  readonly blobs: Map<string, Uint8Array>
}

/** The session that an opener holds; `release` runs once, when it is closed. */
function memorySession(session: Id, record: MemoryRecord, release: () => void): SessionStore {
  let isOpen = true
  const mustBeOpen = () => {
    if (!isOpen) throw new NacreError('STORE_UNWRITABLE', `Session ${session} is closed. Open it again to write to it.`)
  }
  return {
    async append(batch) {
      mustBeOpen()
      // All are made text before the first is kept: a batch with an entry that is no JSON leaves nothing behind.
      record.entries.push(...batch.map((entry) => JSON.stringify(entry)))
    },
    async *read(from) {
      const snapshot = record.entries.map((text) => JSON.parse(text) as Entry)
      yield* from === undefined ? snapshot : snapshot.slice(found(snapshot, from))
    },
    async *readBack() {
      for (const text of record.entries.toReversed()) yield JSON.parse(text) as Entry
    },
    async put(name, data) {
      mustBeOpen()
      return keep(record, name, await bytesOf(data))
    },
    async *get(blob, range) {
      const bytes = record.blobs.get(blob)
      if (bytes === undefined) throw new NacreError('NOT_FOUND', `Session ${session} has no blob ${blob}.`)
      const part = range === undefined ? bytes : bytes.subarray(range.start, range.end)
      if (part.length > 0) yield part.slice()
    },
    async close() {
      if (isOpen) release()
      isOpen = false
    },
  }
}

function found(entries: readonly Entry[], from: Id): number {
  const index = entries.findIndex(({ id }) => id === from)
  if (index < 0) throw new NacreError('NOT_FOUND', `No entry ${from} in this session.`)
  return index
}

function keep({ blobs }: MemoryRecord, name: string, bytes: Uint8Array): Blob {
  let number = 1
  while (blobs.has(blobName(name, number))) number++
  const blob = blobName(name, number)
  blobs.set(blob, bytes)
  return { blob, bytes: bytes.length }
}

async function bytesOf(data: string | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (typeof data === 'string') return new TextEncoder().encode(data)
  const chunks: Uint8Array[] = []
  for await (const chunk of data) chunks.push(chunk.slice())
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
