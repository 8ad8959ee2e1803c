import type { EntryLike } from './types.js'

/** A store that lets the kit read along: the log is the one place that tells of every edit. */
export interface LogStore {
  /** All sessions of one store write here; the kit gives each session a store of its own. */
  readonly entries: readonly EntryLike[]
  open(session: string): Promise<object>
  copyBlobs(): Promise<void>
  list(): AsyncIterable<object>
  lease(name: string): Promise<{ release(): Promise<void> } | undefined>
}

/** Keeps one session in memory, also while nobody has it open. */
export function logStore(): LogStore {
  const texts: string[] = []
  const entries: EntryLike[] = []
  const blobs = new Map<string, Uint8Array>()
  const held = new Set<string>()
  const opened = {
    async append(batch: readonly EntryLike[]) {
      const added = batch.map((entry) => JSON.stringify(entry))
      texts.push(...added)
      entries.push(...added.map((each) => JSON.parse(each) as EntryLike))
    },
    async *read(from?: string) {
      const start = from === undefined ? 0 : entries.findIndex(({ id }) => id === from)
      if (start < 0) throw new Error(`No entry ${from} in this session.`)
      yield* texts.slice(start).map((each) => JSON.parse(each) as EntryLike)
    },
    async put(name: string, data: string | AsyncIterable<Uint8Array>) {
      const blob = `${blobs.size}-${name}`
      const bytes = await bytesOf(data)
      blobs.set(blob, bytes)
      return { blob, bytes: bytes.length }
    },
    async *get(blob: string, { start, end }: { start?: number; end?: number } = {}) {
      const bytes = blobs.get(blob)
      if (!bytes) throw new Error(`There is no blob ${blob}.`)
      yield bytes.slice(start, end)
    },
    close: async () => undefined,
  }
  return {
    entries,
    open: async () => opened,
    // All of its sessions have the same.
    copyBlobs: async () => undefined,
    list: async function* () {},
    async lease(name) {
      if (held.has(name)) return undefined
      held.add(name)
      return { release: async () => void held.delete(name) }
    },
  }
}

async function bytesOf(data: string | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (typeof data === 'string') return Buffer.from(data)
  const chunks: Uint8Array[] = []
  for await (const chunk of data) chunks.push(chunk)
  return Buffer.concat(chunks)
}
