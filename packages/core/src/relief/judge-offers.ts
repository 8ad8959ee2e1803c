import type { Round } from '../contract/view.js'
import type { Block, Id, Span } from '../log/entry.js'
import { estimateBlock } from '../tokens/estimate-block.js'
import { FOLDING } from './draft-task.js'
import type { HeardOffer } from './hear-offers.js'
import type { HeldStock } from './held-stock.js'
import { type CutDecision, moneyModel } from './money-model.js'
import type { ReliefParts } from './relief-parts.js'
import { writePrice } from './write-price.js'

export interface OfferJudge {
  judge(heard: HeardOffer): CutDecision
  taken(heard: HeardOffer): void
}

/** Judges the offers of one climb by what they cost. `mark` begins what stands behind a live cache entry. */
export function judgeOffers(parts: ReliefParts, mark: Id | undefined, stock: HeldStock): OfferJudge {
  const { tokensBefore, tokensUpTo, cached } = measure(parts)
  const { total } = parts.view().tokens
  const prices = { readPrice: parts.model().price(total).read, writePrice: writePrice(parts, total) }
  const { tokensPerTurn, isCold, turnsExpected } = parts.pace()
  /** Where the cache ends: behind the first cut of this climb nothing is left to lose. */
  let end = cached
  stock.turn()
  /** What every cut writes again stands behind its span; what it leaves inside is written once, whenever that is. */
  const writtenOnce = ({ offer, rung }: HeardOffer) =>
    FOLDING.has(rung) ? 0 : Math.max(0, insideOf(offer.span) - offer.frees)
  const insideOf = ({ from, to }: Span) => Math.min(end, tokensUpTo(to)) - tokensBefore(from)
  return {
    judge(heard) {
      const { offer } = heard
      const { frees, dollars } = offer
      const from = tokensBefore(offer.span.from)
      const standing = mark === undefined ? 0 : tokensBefore(mark)
      const survives = standing <= from ? standing : 0
      const rewritten = offer.keepsCache || from >= end ? 0 : Math.max(0, end - frees - survives)
      const { held, turns } = stock.hear(keyOf(heard), frees, tokensPerTurn)
      const arrives = { tokensPerTurn: frees / turns, frees, held }
      const once = Math.min(rewritten, writtenOnce(heard))
      return moneyModel({ ...prices, rewritten, once, ...arrives, isCold, turnsExpected, dollars })
    },
    taken(heard) {
      if (!heard.offer.keepsCache) end = Math.min(end, tokensBefore(heard.offer.span.from))
      stock.taken(keyOf(heard))
    },
  }
}

function keyOf({ owner, name, rung }: HeardOffer): string {
  return [owner, name, rung].join('/')
}

/** Sizes of the view by the entries in it. What came since the last request is in no cache: it is written either way. */
function measure(parts: ReliefParts) {
  const view = parts.view()
  const { timeline } = parts.conversation.projection
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
        return sum + parts.tokens(counted.reduce((size, entry) => size + sizeOf(entry), 0))
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
