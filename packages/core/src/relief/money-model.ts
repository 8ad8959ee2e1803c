/** What decides whether a cut into the cached past pays. Prices in dollars for a million tokens. */
export interface CutFigures {
  readonly readPrice: number
  readonly writePrice: number
  /** Tokens behind the last cache entry that survives the cut: they are written again. */
  readonly rewritten: number
  /** The part of them that is written again once, whenever the cut is made, so that waiting spares nothing of it. */
  readonly once?: number
  /** What arrives each turn and can be freed. What stays is read anyway. */
  readonly tokensPerTurn: number
  readonly frees: number
  /**
   * What has been read since the last cut and could have been freed, with this turn: its tokens, once for each turn
   * that read them. As if they had come evenly, unless told.
   */
  readonly held?: number
  readonly isCold: boolean
  readonly turnsExpected: number
  /** What it costs to make the cut, besides the rewrite. */
  readonly dollars?: number
}

export interface CutDecision {
  readonly pays: boolean
  readonly figures: CutFigures & {
    readonly held: number
    /** Turns between two cuts at the lowest cost, and the tokens that arrive in them. */
    readonly bestTurns: number
    readonly bestBatch: number
    /** Dollars: once for the cut, of that the part that fewer cuts would spare, and what has been paid for waiting. */
    readonly costs: number
    readonly spared: number
    readonly waited: number
    /** Dollars that are not spent over the turns still expected. */
    readonly saves: number
  }
}

const MILLION = 1_000_000
/** Nobody knows how long a session goes on, and what is cut is out of sight: what only just pays by a guess is left. */
const TIMES = 1.25

/**
 * Clearing is a stock-keeping problem: every turn reads what lies in store, every cut writes what stands behind it.
 * The cost of a turn with a cut every n turns is R·r·n/2 + F/n, so the best n is √(2·F / (R·r)), at which waiting has
 * cost as much as the cut will. Results are of all sizes, so it is this balance that decides: a cut pays once what was
 * read in vain costs as much as what fewer cuts would spare, and if it brings in clearly more than it costs before the
 * session ends. On a cold cache all is written anew anyway.
 */
export function moneyModel(cut: CutFigures): CutDecision {
  const { readPrice, frees, rewritten, once = 0, tokensPerTurn } = cut
  const held = cut.held ?? evenlyHeld(frees, tokensPerTurn)
  const writePrice = cut.isCold ? 0 : cut.writePrice
  const costs = (writePrice * rewritten) / MILLION + (cut.dollars ?? 0)
  const spared = costs - (writePrice * Math.min(once, rewritten)) / MILLION
  const waited = (readPrice * held) / MILLION
  const saves = (readPrice * frees * cut.turnsExpected) / MILLION
  const bestTurns = spared > 0 ? Math.sqrt((2 * spared * MILLION) / (readPrice * tokensPerTurn)) : 0
  const bestBatch = spared > 0 ? bestTurns * tokensPerTurn : 0
  const isWorthwhile = costs === 0 || (waited >= spared && saves > TIMES * costs)
  const pays = frees > 0 && isWorthwhile
  return { pays, figures: { ...cut, held, bestTurns, bestBatch, costs, spared, waited, saves } }
}

/** What a stock has cost in tokens read when it grew by the same each turn. */
export function evenlyHeld(stock: number, perTurn: number): number {
  return perTurn > 0 ? (stock * (stock / perTurn + 1)) / 2 : stock
}
