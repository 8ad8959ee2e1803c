import type { Entry, Id } from './log.js'

/** Where sessions live. Another store passes the same contract suite. */
export interface Store {
  /** Takes the session's lease; rejects with SESSION_BUSY and the holder's name. */
  open(session: Id, signal: AbortSignal): Promise<SessionStore>
  /** The whole log of a session as far as it is written, whoever holds it; empty for one that is unknown. */
  peek?(session: Id): Promise<readonly Entry[]>
  /**
   * Gives a session the blobs of another, by the names that they have there: a copy of a log names them. Whoever asks
   * holds `to`; `from` may be held by anybody, and may have none.
   */
  copyBlobs(from: Id, to: Id): Promise<void>
  /** Newest first, from heads and tails alone: never reads a log whole. */
  list(project?: string): AsyncIterable<SessionSummary>
  /** `undefined` when another holds it. */
  lease(name: string, signal: AbortSignal): Promise<Lease | undefined>
}

export interface SessionSummary {
  readonly id: Id
  readonly title: string
  readonly time: number
}

export interface Lease {
  release(): Promise<void>
}

export interface SessionStore {
  /** Where the log is a file that a file tool can read: its path. */
  readonly transcript?: string
  /** All or nothing: a torn batch is dropped whole and reported. Resolved = survives kill -9. */
  append(batch: readonly Entry[]): Promise<void>
  /** Oldest first, from an entry on; all of it unless told. */
  read(from?: Id): AsyncIterable<Entry>
  /** Newest first: a session goes on from the last fold without reading what that covers. Without it, all is read. */
  readBack?(): AsyncIterable<Entry>
  /** Kept as long as the log is; written before the entry that names it. `path` only where a file tool can read it. */
  put(name: string, data: string | AsyncIterable<Uint8Array>): Promise<Blob>
  get(blob: string, range?: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

export interface Blob {
  readonly blob: string
  readonly bytes: number
  readonly path?: string
}
