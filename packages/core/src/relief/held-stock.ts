import { evenlyHeld } from './money-model.js'

/** What an offer could have freed since the last cut. */
interface Stock {
  /** Tokens, once for each turn that read them, with this one. */
  readonly held: number
  /** Turns in which there was something to free. */
  readonly turns: number
}

/** Keeps account of what reliefs offer turn after turn, since what is left lying is paid for each time. */
export interface HeldStock {
  /** Once for each turn, before its offers: what nobody offers any more is gone. */
  turn(): void
  /** `perTurn` is for a stock whose beginning nobody saw: it may have grown by that much each turn. */
  hear(name: string, frees: number, perTurn: number): Stock
  taken(name: string): void
}

interface Kept extends Stock {
  readonly frees: number
  readonly turn: number
}

const NOTHING = { held: 0, turns: 0, frees: 0 }

export function heldStock(): HeldStock {
  const kept = new Map<string, Kept>()
  let turn = 0
  return {
    turn() {
      turn += 1
    },
    hear(name, frees, perTurn) {
      const before = kept.get(name)
      const now = before ? grown(before, frees, turn, perTurn) : foundAt(frees, perTurn)
      kept.set(name, { ...now, frees, turn })
      return now
    },
    taken(name) {
      kept.set(name, { ...NOTHING, turn })
    },
  }
}

function foundAt(frees: number, perTurn: number, most = Number.POSITIVE_INFINITY): Stock {
  // A single large piece did not grow for many turns before it was first offered.
  const steps = perTurn > 0 ? Math.max(1, Math.min(most, Math.round(frees / perTurn))) : 1
  return { held: evenlyHeld(frees, frees / steps), turns: steps }
}

/** Where others have taken a part of the stock, what it had cost goes with it. What was not offered for a while grew then. */
function grown(before: Kept, frees: number, turn: number, perTurn: number): Stock {
  const since = turn - before.turn
  if (since > 1) return foundAt(frees, perTurn, since)
  if (before.frees === 0) return { held: frees, turns: 1 }
  return { held: before.held * Math.min(1, frees / before.frees) + frees, turns: before.turns + 1 }
}
