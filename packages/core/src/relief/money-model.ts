/** What decides whether a cut into the cached past pays. Prices in dollars for a million tokens. */
export interface CutFigures {
  readonly readPrice: number
  readonly writePrice: number
  /** Tokens behind the last cache entry that survives the cut: they are written again. */
  readonly rewritten: number
  readonly tokensPerTurn: number
  readonly frees: number
  readonly isCold: boolean
  readonly turnsExpected: number
  /** What it costs to make the cut, besides the rewrite. */
  readonly dollars?: number
}

export interface CutDecision {
  readonly pays: boolean
  readonly figures: CutFigures & {
    /** Turns between two cuts at the lowest cost, and the tokens that arrive in them. */
    readonly bestTurns: number
    readonly bestBatch: number
    /** Dollars: once for the cut, and spared over the turns still expected. */
    readonly costs: number
    readonly saves: number
  }
}

const MILLION = 1_000_000

/**
 * Clearing is a stock-keeping problem: every turn reads what lies in store, every cut writes what stands behind it.
 * The cost of a turn with a cut every n turns is R·r·n/2 + F/n, so the best n is √(2·F / (R·r)). A cut pays when it
 * frees at least what arrives in that time, and more than it costs before the session ends. On a cold cache all is
 * written anew anyway.
 */
export function moneyModel(cut: CutFigures): CutDecision {
  const costs = ((cut.isCold ? 0 : cut.writePrice * cut.rewritten) + (cut.dollars ?? 0) * MILLION) / MILLION
  const saves = (cut.readPrice * cut.frees * cut.turnsExpected) / MILLION
  const bestBatch = costs > 0 ? Math.sqrt((2 * costs * MILLION * cut.tokensPerTurn) / cut.readPrice) : 0
  const bestTurns = costs > 0 ? Math.sqrt((2 * costs * MILLION) / (cut.readPrice * cut.tokensPerTurn)) : 0
  const isWorthwhile = costs === 0 || (cut.frees >= bestBatch && saves > costs)
  return { pays: cut.frees > 0 && isWorthwhile, figures: { ...cut, bestTurns, bestBatch, costs, saves } }
}
