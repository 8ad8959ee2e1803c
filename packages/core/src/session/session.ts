import type { CacheBreak } from '../cache/detect-break.js'
import type { Source } from '../contract/fork.js'
import type { Model } from '../contract/model.js'
import type { View } from '../contract/view.js'
import type { CostTotals } from '../cost/cost-ledger.js'
import type { Flags } from '../flags/flags.js'
import type { Edit } from '../log/edit.js'
import type { Block, Id } from '../log/entry.js'
import type { SessionEvent } from '../loop/events.js'
import type { CompactOptions, CompactOutcome } from '../relief/session-relief.js'
import type { Accounting } from '../tokens/accounting.js'
import type { Thresholds } from '../tokens/thresholds.js'
import type { Inspection } from './inspection.js'

/** Every event by its type; `event` hears them all. */
export type SessionEvents = {
  [Type in SessionEvent['type']]: (event: Extract<SessionEvent, { readonly type: Type }>) => void
} & { event: (event: SessionEvent) => void }

export interface SessionListeners {
  /** Gives the way to stop listening. */
  on<Type extends keyof SessionEvents>(type: Type, listener: SessionEvents[Type]): () => void
}

/** A conversation that goes on for as long as one likes. */
export interface Session {
  readonly id: Id
  readonly flags: Flags
  readonly events: SessionListeners
  /**
   * Works on a prompt; without one, on what is still unanswered. The last event is the end, with its reason. A second
   * query waits for the first; leaving the loop over the events stops it.
   */
  query(prompt?: string | readonly Block[], options?: QueryOptions): AsyncIterableIterator<SessionEvent>
  view(): View
  /** Folds now, or shows what that would be. */
  compact(options?: Partial<CompactOptions>): Promise<CompactOutcome>
  /** Takes an edit back; without an id the last fold, drop or clear. What comes back is left alone until an overflow. */
  undo(options?: UndoOptions): Promise<Edit>
  /** Takes the conversation back to before a message, with the edits made since. */
  rewind(to: Id): Promise<Edit>
  clear(): Promise<Edit | undefined>
  /** From the next turn on. A smaller window is made room for with the old model first. */
  setModel(model: Model): Promise<void>
  /** A new session with what this one holds, up to an entry. */
  fork(options?: { readonly at?: Id }): Promise<Session>
  /** Runs a plugin's command. */
  command(name: string, args?: string): Promise<string>
  commands(): readonly { readonly owner: string; readonly name: string; readonly help: string }[]
  cost(source?: Source): CostTotals
  breaks(): readonly CacheBreak[]
  thresholds(): Thresholds
  /** What fills the context. */
  accounting(): Promise<Accounting>
  /** What it is made of and what it has spent, for people. */
  inspect(): Promise<Inspection>
  /** Stops what runs, waits for background work, and lets the log go. */
  close(reason?: string): Promise<void>
}

export interface QueryOptions {
  readonly signal?: AbortSignal
}

export interface UndoOptions {
  readonly edit?: Id
  /** Also when the view would be too large for another turn. */
  readonly force?: boolean
}
