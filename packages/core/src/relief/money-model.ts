import { estimateBlock } from '../tokens/estimate.js'
import type { CutDecision, CutFigures } from '../types/events.js'
import type { Block, Id, Span } from '../types/log.js'
import type { Round } from '../types/view.js'
import type { CollectedOffer } from './climb.js'
import { FOLDING, type ReliefContext, writePrice } from './context.js'

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
function evenlyHeld(stock: number, perTurn: number): number {
  return perTurn > 0 ? (stock * (stock / perTurn + 1)) / 2 : stock
}

interface OfferJudge {
  judge(collected: CollectedOffer): CutDecision
  taken(collected: CollectedOffer): void
}

/** Judges the offers of one climb by what they cost. `mark` begins what stands behind a live cache entry. */
export function judgeOffers(context: ReliefContext, mark: Id | undefined, stock: WaitingCosts): OfferJudge {
  const { tokensBefore, tokensUpTo, cached } = measure(context)
  const { total } = context.view().tokens
  const prices = { readPrice: context.model().price(total).read, writePrice: writePrice(context, total) }
  const { tokensPerTurn, isCold, turnsExpected } = context.pace()
  /** Where the cache ends: behind the first cut of this climb nothing is left to lose. */
  let end = cached
  stock.turn()
  /** What every cut writes again stands behind its span; what it leaves inside is written once, whenever that is. */
  const writtenOnce = ({ offer, rung }: CollectedOffer) =>
    FOLDING.has(rung) ? 0 : Math.max(0, insideOf(offer.span) - offer.frees)
  const insideOf = ({ from, to }: Span) => Math.min(end, tokensUpTo(to)) - tokensBefore(from)
  return {
    judge(collected) {
      const { offer } = collected
      const { frees, dollars } = offer
      const from = tokensBefore(offer.span.from)
      const standing = mark === undefined ? 0 : tokensBefore(mark)
      const survives = standing <= from ? standing : 0
      const rewritten = offer.keepsCache || from >= end ? 0 : Math.max(0, end - frees - survives)
      const { held, turns } = stock.offered(keyOf(collected), frees, tokensPerTurn)
      const arrives = { tokensPerTurn: frees / turns, frees, held }
      const once = Math.min(rewritten, writtenOnce(collected))
      return moneyModel({ ...prices, rewritten, once, ...arrives, isCold, turnsExpected, dollars })
    },
    taken(collected) {
      if (!collected.offer.keepsCache) end = Math.min(end, tokensBefore(collected.offer.span.from))
      stock.taken(keyOf(collected))
    },
  }
}

function keyOf({ owner, name, rung }: CollectedOffer): string {
  return [owner, name, rung].join('/')
}

/** Sizes of the view by the entries in it. What came since the last request is in no cache: it is written either way. */
function measure(context: ReliefContext) {
  const view = context.view()
  const { timeline } = context.conversation.projection
  const roundOf = (id: Id) => timeline.place(id)?.round ?? 0
  const last = lastResponse(view.rounds)
  const sizeOf = ({ id, content }: Round['entries'][number]) =>
    content.reduce((sum, _, block) => sum + estimateAll(view.shown({ entry: id, block })), 0)

  /** The tokens of all rounds before that of an entry, and those of its own round by a choice of entries. */
  const tokensOf = (id: Id, isCounted: (index: number, own: number) => boolean) => {
    let sum = 0
    for (const { span, tokens, entries } of view.rounds) {
      if (roundOf(span.to) < roundOf(id)) sum += tokens
      else {
        const own = entries.findIndex((entry) => entry.id === id)
        const counted = entries.filter((_, index) => own !== -1 && isCounted(index, own))
        return sum + context.tokens(counted.reduce((size, entry) => size + sizeOf(entry), 0))
      }
    }
    return sum
  }
  const tokensBefore = (id: Id) => tokensOf(id, (index, own) => index < own)
  const all = view.rounds.reduce((sum, { tokens }) => sum + tokens, 0)
  return {
    tokensBefore,
    tokensUpTo: (id: Id) => tokensOf(id, (index, own) => index <= own),
    cached: last === undefined ? all : tokensBefore(last),
  }
}

/** Of the rounds that are in view as they were logged. */
function lastResponse(rounds: readonly Round[]): Id | undefined {
  for (let index = rounds.length - 1; index >= 0; index--) {
    const found = rounds[index]?.entries.findLast(({ kind }) => kind === 'assistant')
    if (found) return found.id
  }
  return undefined
}

function estimateAll(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + estimateBlock(block), 0)
}

/** What an offer could have freed since the last cut. */
interface WaitingCost {
  /** Tokens, once for each turn that read them, with this one. */
  readonly held: number
  /** Turns in which there was something to free. */
  readonly turns: number
}

/** Keeps account of what reliefs offer turn after turn, since what is left lying is paid for each time. */
interface WaitingCosts {
  /** Once for each turn, before its offers: what nobody offers any more is gone. */
  turn(): void
  /** `perTurn` is for a stock whose beginning nobody saw: it may have grown by that much each turn. */
  offered(name: string, frees: number, perTurn: number): WaitingCost
  taken(name: string): void
}

interface Kept extends WaitingCost {
  readonly frees: number
  readonly turn: number
}

const NOTHING = { held: 0, turns: 0, frees: 0 }

export function waitingCosts(): WaitingCosts {
  const kept = new Map<string, Kept>()
  let turn = 0
  return {
    turn() {
      turn += 1
    },
    offered(name, frees, perTurn) {
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

function foundAt(frees: number, perTurn: number, most = Number.POSITIVE_INFINITY): WaitingCost {
  // A single large piece did not grow for many turns before it was first offered.
  const steps = perTurn > 0 ? Math.max(1, Math.min(most, Math.round(frees / perTurn))) : 1
  return { held: evenlyHeld(frees, frees / steps), turns: steps }
}

/** Where others have taken a part of the stock, what it had cost goes with it. What was not offered for a while grew then. */
function grown(before: Kept, frees: number, turn: number, perTurn: number): WaitingCost {
  const since = turn - before.turn
  if (since > 1) return foundAt(frees, perTurn, since)
  if (before.frees === 0) return { held: frees, turns: 1 }
  return { held: before.held * Math.min(1, frees / before.frees) + frees, turns: before.turns + 1 }
}
