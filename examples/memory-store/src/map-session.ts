import { NacreError, type SessionStore } from '@nacre/core'
import { entriesOf, type Kept } from './kept.js'

/** A session for the one who has opened it. */
export function mapSession(session: string, kept: Kept, release: () => void): SessionStore {
  let isOpen = true
  const batches = () => kept.batches.get(session) ?? []
  const mustBeOpen = () => {
    if (!isOpen) throw new NacreError('STORE_UNWRITABLE', `Session ${session} is closed.`)
  }
  return {
    async append(batch) {
      mustBeOpen()
      if (batch.length === 0) return
      kept.batches.set(session, [...batches(), JSON.stringify(batch)])
    },
    async *read(from) {
      const entries = entriesOf(batches())
      const start = from === undefined ? 0 : entries.findIndex(({ id }) => id === from)
      if (start < 0) throw new NacreError('NOT_FOUND', `There is no entry ${from}.`)
      yield* entries.slice(start)
    },
    async put(name, data) {
      mustBeOpen()
      const bytes = await bytesOf(data)
      // The number tells blobs of one name apart; the name is only there to be read by people.
      const blob = `${kept.blobs.size}-${name.replace(/[^\w.]+/g, '-').slice(0, 50)}`
      kept.blobs.set(`${session} ${blob}`, bytes)
      return { blob, bytes: bytes.length }
    },
    async *get(blob, range) {
      const bytes = kept.blobs.get(`${session} ${blob}`)
      if (!bytes) throw new NacreError('NOT_FOUND', `There is no blob ${blob}.`)
      yield range ? bytes.slice(range.start, range.end) : bytes.slice()
    },
    async close() {
      isOpen = false
      release()
    },
  }
}

async function bytesOf(data: string | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (typeof data === 'string') return Buffer.from(data)
  const chunks: Uint8Array[] = []
  for await (const chunk of data) chunks.push(chunk)
  return Buffer.concat(chunks)
}
