import type { FaultKind } from '../faults.js'
import type { Problem } from './finding.js'
import type { Plan } from './plan.js'
import type { EntryLike, PluginLike } from './session-like.js'
import type { Tapped } from './tap.js'

/** A way to play a conversation. */
export interface Act {
  readonly name: string
  readonly plan: Plan
  readonly plugins: readonly PluginLike[]
  readonly flags?: Readonly<Record<string, boolean>>
  /** From this step on the plugin of this name is off, while the session runs. */
  readonly off?: { readonly plugin: string; readonly from: number }
  /** Closed and resumed after each step. */
  readonly isResumed?: boolean
  /** Where a person stops the query of a step. */
  interruption?(step: number): Interruption | undefined
  /** What strikes the request of this number. */
  readonly fault?: { readonly kind: FaultKind; readonly at: number }
}

/** At the so-many-th event of a type; by a signal, or because nobody listens any more. */
export interface Interruption {
  readonly event: string
  readonly count: number
  readonly by: 'signal' | 'leaving'
}

/** A request with its place in the conversation. */
export interface StagedRequest extends Tapped {
  readonly step: number
  /** How many entries the log had when it arrived. */
  readonly logged: number
  readonly isStruck: boolean
}

/** How the query of a step ended. */
export interface StepEnd {
  readonly step: number
  readonly reason: string
  readonly error: string
  /** Whether it was stopped or struck, so that any end is right. */
  readonly isDisturbed: boolean
}

/** What the session reported while nothing ended. */
export interface Reported {
  readonly step: number
  readonly plugin: string | undefined
  readonly message: string
  readonly isOfDispose: boolean
}

/** A conversation that was played. */
export interface Played {
  readonly act: Act
  readonly requests: readonly StagedRequest[]
  readonly entries: readonly EntryLike[]
  readonly ends: readonly StepEnd[]
  readonly reports: readonly Reported[]
  /** How many entries the log had when the plugin was switched off. */
  readonly loggedWhenOff: number | undefined
  /** Why it was not played to its end. */
  readonly failure: Problem | undefined
}
