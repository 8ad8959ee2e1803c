import { late } from '../async/late.js'
import type { SessionStore } from '../contract/store.js'
import { coreStateIn } from '../log/core-state.js'
import type { Entry, Id } from '../log/entry.js'
import type { CheckpointValue } from './checkpoint-value.js'

const checkpoints = late(() => import('./covered-entries.js'))

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
  const isBehind = (entry: Entry) => checkpointIn(entry)?.from === entries[0]?.id
  const last = entries.findLast(isBehind)
  const checkpoint = last && checkpointIn(last)
  if (!checkpoint || checkpoint.first === entries[0]?.id) return { entries, checkpoint: undefined }
  const { coveredEntries } = await checkpoints()
  return { entries: [...coveredEntries(checkpoint, entries), ...entries], checkpoint }
}

function checkpointIn(entry: Entry): CheckpointValue | undefined {
  return coreStateIn<CheckpointValue>(entry, 'checkpoint')
}

export async function readWholeLog(store: SessionStore, first: Id): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const entry of store.read(first)) entries.push(entry)
  return entries
}
