import type { Conversation } from '../conversation/conversation.js'
import type { NacreError } from '../errors.js'
import type { HookSession } from '../hooks/dispatcher.js'
import type { Contributions } from '../plugins/contributions.js'
import type { Flags } from '../plugins/flags.js'
import type { LoadedPlugins } from '../plugins/load-plugins.js'
import type { SessionRelief } from '../relief/context.js'
import type { SessionEvent } from '../types/events.js'
import type { AskOptions, AskResult, ForkOptions, ForkResult } from '../types/fork.js'
import type { Dispatcher } from '../types/hooks.js'
import type { Id } from '../types/log.js'
import type { SessionStore } from '../types/store.js'
import type { Background, Notes } from './background.js'
import type { CurrentModel } from './current-model.js'
import type { Queries } from './queries.js'
import type { Requests } from './requests.js'
import type { PluginStores, SessionLog } from './session-log.js'
import type { Effects, SessionOptions } from './types.js'

/** The parts of a session that is running. */
export interface Runtime extends SessionLog {
  readonly id: Id
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

/** Asks the model beside the conversation. */
export interface Forks {
  /** On the shared prefix of a session, with its own log, its own signal and its own costs. */
  fork(options: ForkOptions): Promise<ForkResult>
  /** A single question, with costs of its own. Its answer is in no log. */
  ask(options: AskOptions): Promise<AskResult>
}
