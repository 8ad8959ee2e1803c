import type { SessionStore } from '../contract/store.js'
import { coreStateIn } from '../log/core-state.js'
import type { Entry, Id } from '../log/entry.js'
import type { CheckpointValue } from './checkpoint-value.js'

/** A log as far as the view needs it. */
export interface ReadLog {
  readonly entries: readonly Entry[]
  /** Where it was read from, if that is not its beginning. */
  readonly checkpoint: CheckpointValue | undefined
}

/** Reads a session from the last checkpoint in force on, or whole where there is none. */
export async function readLog(store: SessionStore): Promise<ReadLog> {
  const entries: Entry[] = []
  for await (const entry of store.read()) entries.push(entry)
  const checkpoint = entries
    .map((entry) => coreStateIn<CheckpointValue>(entry, 'checkpoint'))
    .findLast((value) => value?.from === entries[0]?.id)
  if (!checkpoint || checkpoint.first === entries[0]?.id) return { entries, checkpoint: undefined }
  const { coveredEntries } = await import('./covered-entries.js')
  return { entries: [...coveredEntries(checkpoint, entries), ...entries], checkpoint }
}

export async function readWholeLog(store: SessionStore, first: Id): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const entry of store.read(first)) entries.push(entry)
  return entries
}
