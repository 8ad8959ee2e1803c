import type { Receipt, Rung } from '../log/edit.js'
import type { BreakerState } from './breaker.js'
import type { ReliefDecision } from './relief-decision.js'

/** For whom and why a draft is installed. */
export interface DraftTask {
  readonly owner: string
  readonly rung: Rung
  readonly trigger: Receipt['trigger']
  readonly pressure: ReliefDecision['pressure']
  /** What the user asked to keep. */
  readonly instructions?: string
  /** Instructions that came too late for the draft, or that its rung can not follow. */
  readonly ignored?: string
  /** Dollars that ways which failed have cost before. */
  readonly wasted?: number
  readonly dryRun: boolean
  readonly signal: AbortSignal
  /** The breaker once the fold has freed that part of the view. */
  afterFold(share: number): BreakerState
}

/** Rungs whose drafts may fold, so that `PreCompact` is asked before. */
export const FOLDING: ReadonlySet<Rung> = new Set<Rung>(['notes', 'summary', 'digest'])
