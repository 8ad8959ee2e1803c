import type { Conversation } from '../conversation/conversation.js'
import type { NacreError } from '../errors.js'
import type { HookSession } from '../hooks/dispatcher.js'
import type { Contributions } from '../plugins/contributions.js'
import type { Flags } from '../plugins/flags.js'
import type { LoadedPlugins } from '../plugins/load-plugins.js'
import type { SessionRelief } from '../relief/context.js'
import type { ChildCalls } from '../types/child.js'
import type { CacheBreak, SessionEvent } from '../types/events.js'
import type { AskOptions, AskResult, ForkOptions, ForkResult, Source } from '../types/fork.js'
import type { Dispatcher } from '../types/hooks.js'
import type { Id, Usage } from '../types/log.js'
import type { SessionStore } from '../types/store.js'
import type { Extended } from './accounts.js'
import type { Background, Notes } from './background.js'
import type { CurrentModel } from './current-model.js'
import type { Queries } from './queries.js'
import type { Requests, SharedPrefix } from './requests.js'
import type { PluginStores, SessionLog } from './session-log.js'
import type { Steering } from './steering.js'
import type { Effects, SessionOptions } from './types.js'
import type { Underway } from './underway.js'

/** The parts of a session that is running. */
export interface Runtime extends SessionLog {
  readonly id: Id
  /** Who asks in it. */
  readonly source: Source
  /** Of a session below another: what binds it to that one. */
  readonly kin?: Kin | undefined
  readonly options: SessionOptions
  readonly effects: Effects
  readonly store: SessionStore
  /** The store as each plugin has it. */
  readonly stores: PluginStores
  readonly flags: Flags
  readonly plugins: LoadedPlugins
  readonly contributions: Contributions
  readonly currentModel: CurrentModel
  readonly notes: Notes
  readonly queries: Queries
  readonly requests: Requests
  readonly steering: Steering
  readonly underway: Underway
  /** The sessions below it that are open. */
  readonly children: Set<{ readonly source: Source; close(reason?: string): Promise<void> }>
  readonly background: Background
  readonly forks: Forks
  /** The session as hooks and commands of its plugins meet it. */
  readonly session: HookSession
  readonly hooks: Dispatcher
  /** The conversation for whoever edits it: plugins hear of each edit. */
  readonly observed: Conversation
  readonly relief: SessionRelief
  /** Dollars that may be spent in all. */
  readonly budget: number
  isOn(plugin: string): boolean
  emit(event: SessionEvent): void
  report(error: NacreError): void
}

/** What a session below another has of it. */
export interface Kin {
  readonly source: Source
  readonly parent: Runtime
  readonly calls: ChildCalls
  /** Of a fork. */
  readonly shared?: SharedPrefix | undefined
  readonly extended?: Extended | undefined
  readonly turn?: ForkTurn | undefined
  isBudgetSpent(): boolean
  spent(usage: Usage, model: string): void
  broken(cacheBreak: CacheBreak): void
}

/** Lets several forks share one prefix: it can be read from the cache once the first of them has begun to answer. */
export interface ForkTurn {
  /** Resolves when it is this fork's turn to ask. A second request lets the others go: the first has failed. */
  enter(signal: AbortSignal): Promise<void>
  /** Its answer begins, or it is over. */
  pass(): void
}

/** Asks the model beside the conversation. */
export interface Forks {
  /** On the shared prefix of a session, with its own log, its own signal and its own costs. */
  fork(options: ForkOptions): Promise<ForkResult>
  /** A single question, with costs of its own. Its answer is in no log. */
  ask(options: AskOptions): Promise<AskResult>
  /** For one of several that begin with the same prefix. */
  turn(prefix: string): ForkTurn
}
