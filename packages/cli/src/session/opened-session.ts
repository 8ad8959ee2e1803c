import type { Team } from '@nacre/agents'
import type { Model, ModelInfo, NacreError, Plugin, Session, SessionDetails, SessionSummary, Store } from '@nacre/core'
import type { Ask, AskHost, Permissions } from '@nacre/tools'
import type { Settings } from '../settings/settings.js'
import type { TrustQuestion } from '../trust/decide-trust.js'

/** A session with all that the program knows of it beside what the session itself tells. */
export interface OpenedSession {
  readonly session: Session
  readonly model: ModelInfo
  readonly settings: Settings
  readonly permissions: Permissions
  readonly plugins: readonly Plugin[]
  /** The sub-agents of the session; `undefined` where that layer is off. */
  team(): Team | undefined
  readonly isOffline: boolean
  readonly controls: SessionControls
  /** For people, once: what was taken for granted, what was left out and why. */
  readonly notices: readonly string[]
  /** Ends the session and all that was started for it. */
  close(): Promise<void>
}

/** What a session needs from whoever opens it. All may be left out where nobody is there to be asked. */
export interface OpenNeeds {
  /** Asks a person whether a call may run. Without it the answer is no. */
  readonly ask?: SessionDetails['ask']
  /** Shows the model's own questions to a person. */
  readonly askUser?: Ask
  /** Asks whether commands may reach a host. Without it none that no rule allows. */
  readonly askHost?: AskHost
  /** Asks whether a folder may bring along what it names. Without it, it may not, and the session says so. */
  trustAsked?(question: TrustQuestion): Promise<boolean>
  /** Lets a person choose where more than one session is meant; `undefined` for none of them. */
  pickSession?(sessions: readonly SessionSummary[]): Promise<string | undefined>
  /** Hears of what fails without ending a query. Must not throw. */
  report?(error: NacreError): void
  /** Where the session is kept; with the others of the project unless told. */
  readonly store?: Store
}

/** What the program that opened a session can do for it, beside what the session does itself. */
export interface SessionControls {
  /** Where the sessions of this project are kept. */
  readonly store: Store
  /** Names that a person may choose from; others may work too. */
  modelNames(): readonly string[]
  /** A model for `session.setModel`. Throws with what is wrong with the name and what to do. */
  makeModel(name: string): Promise<Model>
  /** Switches a flag for this session, above all other layers; `undefined` takes the switch back. */
  setFlag(name: string, value: boolean | undefined): void
  /** What was reported since the session was opened: failed hooks, failed background work. */
  errors(): readonly NacreError[]
  /** How far the dream is that this process is in; `undefined` where it is in none. */
  dreamPhase(): Promise<string | undefined>
  /** Looks at what the program needs to work: key, folders, settings, tools. */
  diagnose(signal: AbortSignal): Promise<readonly Diagnosis[]>
}

/** One thing that was looked at. */
export interface Diagnosis {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failed'
  readonly detail: string
  /** What to do about it, where it is not in order. */
  readonly remedy?: string
}
