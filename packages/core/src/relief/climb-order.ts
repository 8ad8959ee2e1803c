import type { Need } from '../contract/relief.js'
import type { Edit, Receipt, Rung } from '../log/edit.js'
import type { BreakerState } from './breaker.js'
import type { HeardOffer } from './hear-offers.js'
import type { CutDecision } from './money-model.js'
import type { PreparedDraft } from './prepare-draft.js'
import type { ReliefDecision } from './relief-decision.js'

/** What a climb is for, and when it is over. */
export interface ClimbOrder {
  readonly pressure: ReliefDecision['pressure']
  readonly trigger: Receipt['trigger']
  readonly rungs: readonly Rung[]
  readonly need: Need
  readonly dryRun: boolean
  isDone(end: ClimbEnd): boolean
  /** Whether an offer pays; without it all do. */
  judge?(heard: HeardOffer): CutDecision
  taken?(heard: HeardOffer): void
  /** The breaker once a fold has freed that part of the view. */
  afterFold(share: number): BreakerState
}

/** How far a climb came. */
export interface ClimbEnd {
  readonly accepted: Edit[]
  /** What a dry run would have appended. */
  prepared?: PreparedDraft
  readonly taken: HeardOffer[]
  readonly untaken: HeardOffer[]
  /** Why drafts were not installed. */
  readonly reasons: string[]
  /** Known once `PreCompact` was asked; the user's come first. */
  instructions?: readonly string[]
  vetoed?: string
  hasFailedToFold: boolean
  /** Dollars that drafts have cost since one was taken: what failed is paid for as well. */
  spent: number
}
