import { memoryStore } from '../../src/stores/memory-store.js'
import type { Entry, Id } from '../../src/types/log.js'
import type { Store } from '../../src/types/store.js'

/** A store in memory, with a look at its entries while a session holds them. */
export interface WatchedStore extends Store {
  entries(): readonly Entry[]
  /** Called before each append; what it throws is what the append fails with. */
  before(check: (batch: readonly Entry[]) => void): void
}

export function watchedStore(): WatchedStore {
  const store = memoryStore()
  const kept: string[] = []
  let check: (batch: readonly Entry[]) => void = () => undefined
  return {
    ...store,
    entries: () => kept.map((text) => JSON.parse(text) as Entry),
    before(next) {
      check = next
    },
    async open(session, signal) {
      const opened = await store.open(session, signal)
      return {
        ...opened,
        async append(batch) {
          check(batch)
          await opened.append(batch)
          kept.push(...batch.map((entry) => JSON.stringify(entry)))
        },
      }
    },
  }
}

/** A new store that holds a log as it stands. */
export async function storeWith(id: Id, entries: readonly Entry[]): Promise<WatchedStore> {
  const store = watchedStore()
  const session = await store.open(id, new AbortController().signal)
  await session.append(entries)
  await session.close()
  return store
}
