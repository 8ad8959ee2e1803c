import type { Id } from '../log/entry.js'
import type { HeardOffer } from './hear-offers.js'
import { type CutDecision, moneyModel } from './money-model.js'
import type { ReliefParts } from './relief-parts.js'
import { writePrice } from './write-price.js'

export interface OfferJudge {
  judge(heard: HeardOffer): CutDecision
  taken(heard: HeardOffer): void
}

/** Judges the offers of one climb by what they cost. `mark` begins what stands behind a live cache entry. */
export function judgeOffers(parts: ReliefParts, mark: Id | undefined): OfferJudge {
  const { timeline } = parts.conversation.projection
  const { rounds, tokens } = parts.view()
  const roundOf = (id: Id) => timeline.place(id)?.round ?? 0
  const tokensBefore = (id: Id) =>
    rounds.reduce((sum, { span, tokens: own }) => (roundOf(span.to) < roundOf(id) ? sum + own : sum), 0)
  const { read } = parts.model().price(tokens.total)
  const { tokensPerTurn, isCold, turnsExpected } = parts.pace()
  /** Where the cache ends: behind the first cut of this climb nothing is left to lose. */
  let end = rounds.reduce((sum, round) => sum + round.tokens, 0)
  return {
    judge({ offer }) {
      const { frees, dollars } = offer
      const isBehind = tokensBefore(offer.span.from) >= end
      const survives = mark !== undefined && roundOf(mark) <= roundOf(offer.span.from) ? tokensBefore(mark) : 0
      const rewritten = isBehind ? 0 : Math.max(0, end - frees - survives)
      const prices = { readPrice: read, writePrice: writePrice(parts, tokens.total) }
      return moneyModel({ ...prices, rewritten, tokensPerTurn, frees, isCold, turnsExpected, dollars })
    },
    taken({ offer }) {
      end = Math.min(end, tokensBefore(offer.span.from))
    },
  }
}
