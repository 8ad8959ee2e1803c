import type { Json } from '../types/log.js'

/** What is known of the folds so far; kept in the log, so that it survives a resume and a rewind takes it back. */
export interface BreakerState {
  /** Climbs in a row that tried to fold and could not. */
  readonly failures: number
  /** Folds in a row that freed too little. */
  readonly lean: number
  /** All folds of the session. */
  readonly folds: number
}

const MAX_FAILURES = 3
const MAX_LEAN = 2
const LEAN_SHARE = 0.1

/** The state as it was kept; a fresh one where there is none. */
export function readBreaker(kept: Json | undefined): BreakerState {
  const value = (typeof kept === 'object' && kept !== null ? kept : {}) as { readonly [key: string]: unknown }
  const count = (key: keyof BreakerState) => (Number.isInteger(value[key]) ? (value[key] as number) : 0)
  return { failures: count('failures'), lean: count('lean'), folds: count('folds') }
}

export function isStopped({ failures, lean }: BreakerState): boolean {
  return failures >= MAX_FAILURES || lean >= MAX_LEAN
}

export function afterFailure(state: BreakerState): BreakerState {
  return { ...state, failures: state.failures + 1 }
}

/** `share` is the part of the view that was freed; without it the fold says nothing about what folds are worth. */
export function afterFold(state: BreakerState, share: number | undefined): BreakerState {
  const lean = share === undefined ? state.lean : share < LEAN_SHARE ? state.lean + 1 : 0
  return { failures: 0, lean, folds: state.folds + 1 }
}

/** For people, when automatic compaction stops. */
export function stopNotice({ failures }: BreakerState): string {
  const cause =
    failures >= MAX_FAILURES
      ? `${failures} compactions in a row have failed`
      : `${MAX_LEAN} compactions in a row have freed less than ${LEAN_SHARE * 100}%`
  return `Automatic compaction has stopped for this session: ${cause}. Compacting by hand still works, and starts it again.`
}
