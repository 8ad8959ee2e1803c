import type { Change, Receipt, Rung } from '../log/edit.js'
import type { Span, Usage } from '../log/entry.js'
import type { Awaitable } from './answer.js'
import type { View } from './view.js'

export type Pressure = 'idle' | 'high' | 'overflow'

export interface Need {
  readonly pressure: Pressure
  readonly excess: number
  readonly target: number
  readonly instructions?: string
  readonly signal: AbortSignal
}

/** A way to free context. `offer` may wait but changes nothing; `undefined` = nothing to offer. */
export interface Relief {
  readonly name: string
  readonly rung: Rung
  offer(view: View, need: Need): Awaitable<Offer | undefined>
}

/** Void once the view has changed inside `span` since it was made. */
export interface Offer {
  readonly span: Span
  readonly frees: number
  readonly dollars: number
  draft(plan: CompactPlan): Awaitable<Draft>
}

/** Not accepted yet: core restores, prices, checks and appends it at the next turn boundary, or refuses it with a reason. */
export interface Draft {
  readonly changes: readonly Change[]
  readonly reason: string
  readonly checks?: Receipt['checks']
  readonly spent?: Usage
}

export interface CompactPlan {
  readonly instructions: readonly string[]
  readonly signal: AbortSignal
}

/** Asked in parallel for each fold; core spends one budget over all, `live` first. */
export interface Restorer {
  readonly name: string
  restore(event: RestoreEvent): Awaitable<readonly Restored[]>
}

export interface RestoreEvent {
  readonly view: View
  readonly folded: Span
  readonly budget: number
  readonly signal: AbortSignal
}

/** `consumed` and `reference` are worded so that nothing in them reads as an order. */
export interface Restored {
  readonly what: string
  readonly text: string
  readonly status: 'live' | 'consumed' | 'reference'
}
