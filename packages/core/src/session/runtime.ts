import type { AskOptions, AskResult, ForkOptions, ForkResult } from '../contract/fork.js'
import type { Dispatcher } from '../contract/hooks.js'
import type { SessionStore } from '../contract/store.js'
import type { Flags } from '../flags/flags.js'
import type { ForkTurns } from '../fork/fork-turns.js'
import type { HookSession } from '../hooks/handler-context.js'
import type { Id } from '../log/entry.js'
import type { SessionEvent } from '../loop/events.js'
import type { NacreError } from '../nacre-error.js'
import type { LoadedPlugins } from '../plugins/load-plugins.js'
import type { SessionRelief } from '../relief/session-relief.js'
import type { Background } from './background.js'
import type { Conversation } from './conversation.js'
import type { Kit } from './kit.js'
import type { ModelSeat } from './model-seat.js'
import type { Notes } from './notes.js'
import type { Requests } from './requests.js'
import type { SessionLog } from './session-log.js'
import type { Senses, SessionOptions } from './session-options.js'
import type { Status } from './status.js'

/** The parts of a session that is running. */
export interface Runtime extends SessionLog {
  readonly id: Id
  readonly options: SessionOptions
  readonly senses: Senses
  readonly store: SessionStore
  readonly flags: Flags
  readonly plugins: LoadedPlugins
  readonly kit: Kit
  readonly seat: ModelSeat
  readonly notes: Notes
  readonly background: Background
  readonly hooks: Dispatcher
  readonly requests: Requests
  readonly relief: SessionRelief
  readonly status: Status
  readonly session: HookSession
  /** The conversation for whoever edits it: each edit is told. */
  readonly told: Conversation
  readonly forkTurns: ForkTurns
  /** Dollars that may be spent in all. */
  readonly budget: number
  isOn(plugin: string): boolean
  fork(options: ForkOptions): Promise<ForkResult>
  ask(options: AskOptions): Promise<AskResult>
  emit(event: SessionEvent): void
  report(error: NacreError): void
}
