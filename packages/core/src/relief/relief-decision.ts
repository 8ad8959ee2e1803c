import type { Pressure } from '../contract/relief.js'
import type { Rung } from '../log/edit.js'
import type { CutDecision } from './money-model.js'

/**
 * What became of an offer, a draft or a restorer. `declined`: it does not pay. `void`: the view has changed inside its
 * span, or it had none. `refused`: its draft did not pass the checks. `failed`: it threw or took too long. `stopped`:
 * the breaker or the guard against climbs without progress held it back.
 */
export type ReliefVerdict = 'taken' | 'declined' | 'void' | 'refused' | 'failed' | 'vetoed' | 'stopped'

/** Told for each decision of the arbiter, also for 'no'. */
export interface ReliefDecision {
  readonly verdict: ReliefVerdict
  readonly reason: string
  readonly pressure: Pressure | 'manual' | 'proposed'
  readonly owner?: string
  /** The relief or the restorer. */
  readonly name?: string
  readonly rung?: Rung
  readonly figures?: CutDecision['figures']
}
