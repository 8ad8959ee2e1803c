import type { Model, NacreError, Store } from '@nacre/core'

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
