import { NacreError } from '../errors.js'
import { readBack } from '../log/checkpoint.js'
import type { Timeline } from '../log/timeline.js'
import type { Entry } from '../types/log.js'
import type { SessionStore } from '../types/store.js'

/** What the view does about entries of which a store has said that it does not have them. */
interface KeptInView {
  timeline(): Timeline
  /** They are in the view and not in the log. */
  forget(entries: ReadonlySet<Entry>): void
  /** It is in the log after all. */
  hear(entry: Entry, isInView: boolean): void
}

interface Keeper {
  /** Writes a batch. Rejects where the log does not have it. */
  keep(entries: readonly Entry[]): Promise<void>
  /** To be awaited before anything is checked or written: what became of a batch of which nothing could be told when it failed. */
  catchUp(): Promise<void>
}

/**
 * Writes entries, and has the store say what became of those that it failed to write: some disks fail behind the bytes.
 * What the log has is in the view, what it has not is not, and the next batch goes on from there.
 */
export function keepEntries(store: SessionStore, view: KeptInView): Keeper {
  let unsure: { readonly entries: readonly Entry[]; readonly error: unknown } | undefined

  const settle = async (entries: readonly Entry[], error: unknown): Promise<boolean> => {
    unsure = { entries, error }
    const isKept = await isInStore(store, entries, view.timeline())
    unsure = undefined
    if (!isKept && entries.some((entry) => isIn(view.timeline(), entry))) view.forget(new Set(entries))
    return isKept
  }
  return {
    async keep(entries) {
      try {
        await store.append(entries)
      } catch (error) {
        if (!(await settle(entries, error).catch(() => false))) throw error
      }
    },
    async catchUp() {
      if (!unsure) return
      const { entries, error } = unsure
      const isKept = await settle(entries, error).catch((cause: unknown) => {
        const why = cause instanceof Error ? cause.message : String(cause)
        const message = `The log could not be written, and can not be read now: ${why}. Mend the store, then ask again; nothing is written until then.`
        throw new NacreError('STORE_UNWRITABLE', message, { cause: error })
      })
      if (!isKept) return
      for (const entry of entries) view.hear(entry, isIn(view.timeline(), entry))
    },
  }
}

function isIn(timeline: Timeline, { id }: Entry): boolean {
  return timeline.place(id) !== undefined
}

/** Of a batch all entries or none are in the log. Looks at what stands behind the last entry that is known. */
async function isInStore(store: SessionStore, batch: readonly Entry[], timeline: Timeline): Promise<boolean> {
  const ids = new Set(batch.map(({ id }) => id))
  for await (const { id } of readBack(store)) {
    if (ids.has(id)) return true
    if (timeline.place(id)) return false
  }
  return false
}
