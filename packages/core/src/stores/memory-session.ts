import type { Blob, SessionStore } from '../contract/store.js'
import type { Entry, Id } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import { blobName } from './blob-name.js'
import { checkpointSearch } from './checkpoint-search.js'

/** What a memory store keeps of a session. Entries are text, so that nobody can change them from outside. */
export interface MemoryRecord {
  readonly entries: string[]
  readonly blobs: Map<string, Uint8Array>
}

/** The session that an opener holds; `release` runs once, when it is closed. */
export function memorySession(session: Id, record: MemoryRecord, release: () => void): SessionStore {
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
      yield* snapshot.slice(from === undefined ? checkpointed(snapshot) : found(snapshot, from))
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

function checkpointed(entries: readonly Entry[]): number {
  const meets = checkpointSearch()
  for (const entry of entries.toReversed()) {
    const checkpoint = meets(entry)
    if (checkpoint !== undefined)
      return Math.max(
        0,
        entries.findIndex(({ id }) => id === checkpoint.from),
      )
  }
  return 0
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
