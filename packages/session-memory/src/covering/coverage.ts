import type { Id, Json, StateEntry, View } from '@nacre/core'

export const OWNER = 'session-memory'

/** How far notes go: up to the last entry of the request that their update extended. */
export interface Coverage {
  /** Of a copy of a session: the one that it was copied from. */
  readonly session: Id
  readonly covers: Id
  /** The responses up to there. */
  readonly turn: number
}

/** The coverage as the log has it, with the notes as they were then. */
export interface LoggedCoverage extends Coverage {
  readonly blob: string
  /** Of the blob, where a file can be read: a copy of a session does not have the blobs of the first one. */
  readonly path?: string
}

/** The coverage in view: a rewind takes it back, a resume brings it back. */
export function readCoverage(view: Pick<View, 'state'>): LoggedCoverage | undefined {
  const value = view.state(OWNER, 'coverage') as unknown as LoggedCoverage | undefined
  return typeof value?.covers === 'string' && typeof value.blob === 'string' ? value : undefined
}

/** An entry for `store.append`. The session gives it its own id and time. */
export function stateEntry(key: string, value: Json, owner = OWNER): StateEntry {
  return { kind: 'state', id: '', time: 0, owner, key, value }
}
