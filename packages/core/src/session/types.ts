import type { Accounting } from '../conversation/accounting.js'
import type { NacreError } from '../errors.js'
import type { FlagSources, Flags } from '../plugins/flags.js'
import type { LoadedPlugin, PluginLimits } from '../plugins/load-plugins.js'
import type { CompactOptions, CompactOutcome } from '../relief/context.js'
import type { Ttl } from '../request/markers.js'
import type { CostTotals, SpentBy } from '../tokens/cost.js'
import type { Thresholds } from '../tokens/thresholds.js'
import type { SteerOptions } from '../types/child.js'
import type { CacheBreak, LeftBehind, PromptChanges, SessionEvent } from '../types/events.js'
import type { Source } from '../types/fork.js'
import type { Block, Edit, Entry, Id } from '../types/log.js'
import type { Model, ModelInfo } from '../types/model.js'
import type { PluginList, PromptSection } from '../types/plugin.js'
import type { Store } from '../types/store.js'
import type { Awaitable, PersonVerdict, Tool, ToolCall } from '../types/tool.js'
import type { View } from '../types/view.js'

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
  /**
   * Puts a message into the query that runs, at its next tool round; where none runs it begins the next one, which then
   * needs no prompt. Resolved = it is in the log, and survives a crash.
   */
  steer(content: string | readonly Block[], options?: SteerOptions): Promise<void>
  /** Whether messages wait that no query has heard yet. */
  isSteered(): boolean
  view(): View
  /** Folds now, or shows what that would be. */
  compact(options?: Partial<CompactOptions>): Promise<CompactOutcome>
  /** Takes an edit back; without an id the last fold, drop or clear. What comes back is left alone until an overflow. */
  undo(options?: UndoOptions): Promise<Edit>
  /** Takes the conversation back to before a message, with the edits made since. */
  rewind(to: Id): Promise<Edit>
  clear(): Promise<Edit | undefined>
  /** How system and tools would differ if they were put together now: a resumed session goes on with those that it had. */
  outdated(): Promise<PromptChanges | undefined>
  /** Goes on with system and tools as they are now, at the price of the edit; `undefined` where they are the same. */
  takeUp(): Promise<Edit | undefined>
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
  /** Stops what runs, waits for background work, and lets the log go; never longer than its limit. */
  close(reason?: string): Promise<void>
  /** After a stop or a close: what has not ended, and was left alone. Before that, what is under way. */
  left(): readonly LeftBehind[]
}

export interface QueryOptions {
  readonly signal?: AbortSignal
}

export interface UndoOptions {
  readonly edit?: Id
  /** Also when the view would be too large for another turn. */
  readonly force?: boolean
}

export interface SessionOptions {
  readonly model: Model
  /** In order; what is made of several plugins may stand in it as a list. */
  readonly plugins?: PluginList
  /** The system prompt: a text that is the same for everyone, or sections. */
  readonly system?: string | readonly PromptSection[]
  readonly tools?: readonly Tool[]
  /** By name; those of plugins and of their parts. */
  readonly flags?: Readonly<Record<string, boolean>>
  /** In memory unless told: `fileStore()` of `@nacre/core/node` keeps sessions. */
  readonly store?: Store
  readonly cwd?: string
  /** A new session unless told. */
  readonly open?: OpenSession
  readonly details?: SessionDetails
}

/** Which session: a new one, one to go on with by its id or the latest, or a copy of one, up to an entry. */
export type OpenSession =
  | { readonly id: Id }
  | { readonly resume: Id | 'latest' }
  | { readonly fork: Id; readonly at?: Id }

/** What few sessions need to say. */
export interface SessionDetails {
  readonly limits?: SessionLimits
  /** Takes over for a turn in which the model stays overloaded. */
  readonly fallback?: Model
  /** Asks a person whether a call of `source` may run. Without it nobody is there, and the answer is no. */
  ask?(call: ToolCall, reason: string, signal: AbortSignal, source: Source): Promise<PersonVerdict>
  /** How long the cache keeps what a session sends; five minutes unless told. */
  readonly ttl?: Ttl
  /** Flags from outside the program, above those of the options. */
  readonly flagSources?: Pick<FlagSources, 'settings' | 'environment' | 'live'>
  readonly effects?: Partial<Effects>
  /** Hears of what fails without ending a query: hooks of plugins, background work. Must not throw. */
  report?(error: NacreError): void
}

export interface SessionLimits extends PluginLimits {
  /** Answers to one prompt; 1,000 unless told. */
  readonly maxTurns?: number
  readonly maxBudgetUsd?: number
  /** Milliseconds that a close may take, two minutes unless told. Background work hears of the end a little before. */
  readonly closeWithin?: number
  /** Tokens to stay within, where the window is larger than one wants to pay for. */
  readonly contextBudget?: number
  /** Milliseconds for work that a plugin has deferred; 1,800,000 unless told. Then it is stopped, and reported. */
  readonly deferred?: number
}

/** Time and chance, which tests pass in. */
export interface Effects {
  now(): number
  newId(): Id
  random(): number
  wait(milliseconds: number, signal: AbortSignal): Awaitable<void>
  /** For limits: calls `fire` once after that time, unless the function that it gives is called first. */
  timer(milliseconds: number, fire: () => void): () => void
}

/** What people may want to know of a session beside the conversation. For looking only. */
export interface Inspection {
  /** The one that the next turn goes to. */
  readonly model: ModelInfo
  /** Those that are set up, in order, with what each has brought and how long that took; `session` is the program itself. */
  readonly plugins: readonly Omit<LoadedPlugin, 'context'>[]
  readonly spent: readonly SpentBy[]
  readonly cache: {
    readonly ttl: Ttl
    /** Milliseconds that the cache still keeps what was sent last; none before the first answer. */
    readonly left?: number
  }
  /** The whole log as it is now, oldest first. */
  entries(): AsyncIterable<Entry>
}
