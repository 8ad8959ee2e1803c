import { expect, it } from 'vitest'
import { moneyModel, waitingCosts } from '../../src/relief/money-model.js'

/** Turn by turn: the tokens of a result that can be cleared, and of text that stays. */
interface Job {
  readonly results: readonly number[]
  readonly texts: readonly number[]
}

interface Setting extends Job {
  readonly kept: number
  readonly readPrice: number
}

/** What a rule sees before a request. */
interface Moment {
  readonly frees: number
  /** Results that would go. */
  readonly count: number
  readonly rewritten: number
  readonly once: number
  readonly turn: number
}

const [SYSTEM, LINE, WRITE] = [8_000, 80, 1.25]

/**
 * Dollars for a million tokens of a whole session, by the rules of the cache: a request reads up to the last entry that
 * still fits and writes the rest. An entry stands before the first result that would go once a request has marked it.
 */
function costOf({ results, texts, kept, readPrice }: Setting, isTime: (moment: Moment) => boolean): number {
  const sum = (from: number, to: number, size: (index: number) => number) => {
    let total = 0
    for (let index = from; index < to; index++) total += size(index)
    return total
  }
  const at = (list: readonly number[], index: number) => list[index] ?? 0
  const both = (index: number) => at(texts, index) + at(results, index)
  let cleared = 0
  let marked = -1
  let cost = 0
  for (let turn = 0; turn < results.length; turn++) {
    const end = Math.max(cleared, turn + 1 - kept)
    const old = SYSTEM + sum(0, cleared, (index) => at(texts, index) + LINE)
    const cached = old + sum(cleared, turn, both)
    const fresh = both(turn)
    const frees = sum(cleared, end, (index) => at(results, index) - LINE)
    const survives = marked === cleared ? old + at(texts, cleared) : SYSTEM
    const once = sum(cleared, end, (index) => LINE + (index > cleared ? at(texts, index) : 0))
    const moment = { frees, count: end - cleared, rewritten: cached - frees - survives, once, turn: turn + 1 }
    marked = frees > 0 ? cleared : -1
    if (frees > 0 && isTime(moment)) {
      cost += readPrice * survives + WRITE * (cached + fresh - frees - survives)
      cleared = end
      marked = -1
    } else cost += readPrice * cached + WRITE * fresh
  }
  return cost
}

/** The cost with what the money model decides, and how many results went in each batch. */
function decided(setting: Setting): { readonly cost: number; readonly batches: readonly number[] } {
  const stock = waitingCosts()
  const batches: number[] = []
  const cost = costOf(setting, ({ frees, rewritten, once, count, turn }) => {
    stock.turn()
    const { held, turns } = stock.offered('clear', frees, setting.results[0] ?? 0)
    const prices = { readPrice: setting.readPrice, writePrice: WRITE }
    const arrives = { tokensPerTurn: frees / turns, frees, held }
    const { pays } = moneyModel({ ...prices, ...arrives, rewritten, once, isCold: false, turnsExpected: turn })
    if (!pays) return false
    stock.taken('clear')
    batches.push(count)
    return true
  })
  return { cost, batches }
}

/** The best of all batches of the same number of results, and of never clearing. */
function bestFixed(setting: Setting): number {
  const sizes = Array.from({ length: setting.results.length + 1 }, (_, index) => index + 1)
  return Math.min(...sizes.map((size) => costOf(setting, ({ count }) => count >= size)))
}

const TURNS = 120
const many = (size: (turn: number) => number, turns = TURNS) => Array.from({ length: turns }, (_, turn) => size(turn))
/** Numbers from 0 to 1 that look like chance and are the same each time. */
const chance = (turn: number, salt: number) => Math.abs(Math.sin(turn * 12.9898 + salt * 78.233) * 43_758.5453) % 1

const JOBS: Readonly<Record<string, Job>> = {
  'equal results': { results: many(() => 6_000), texts: many(() => 150) },
  'small results': { results: many(() => 800), texts: many(() => 300) },
  'every tenth four times as large': {
    results: many((turn) => (turn % 10 === 9 ? 25_000 : 6_000), 60),
    texts: many(() => 150, 60),
  },
  'results of all sizes': {
    results: many((turn) => 300 * Math.exp(chance(turn, 1) * 4.5)),
    texts: many((turn) => 50 + chance(turn, 2) * 600),
  },
  'a stretch of large ones, then of small ones': {
    results: many((turn) => (turn % 40 < 20 ? 9_000 : 400)),
    texts: many(() => 200),
  },
  'a stretch of small ones, then of large ones': {
    results: many((turn) => (turn % 40 < 20 ? 400 : 9_000)),
    texts: many(() => 200),
  },
  'much text that stays': { results: many(() => 3_000), texts: many(() => 1_200) },
  'text that stays in leaps': {
    results: many((turn) => 300 * Math.exp(chance(turn, 3) * 4)),
    texts: many((turn) => (chance(turn, 4) < 0.1 ? 9_000 : chance(turn, 5) * 1_500)),
  },
}
const PRICES = [0.1, 0.05, 0.025]
const KEPT = [1, 2, 3]

it.each(Object.keys(JOBS))('costs at most a twentieth more than the best batch that trying all finds: %s', (name) => {
  for (const readPrice of PRICES) {
    for (const kept of KEPT) {
      const setting = { ...(JOBS[name] as Job), readPrice, kept }
      const ratio = decided(setting).cost / bestFixed(setting)
      expect(ratio, `read at ${readPrice}, ${kept} kept`).toBeLessThanOrEqual(1.05)
    }
  }
})

it('clears in batches of the size that the formula gives, where results are equal', () => {
  // Two of three kept results were read before, so that they are written again: √(2·2·W/R).
  for (const [readPrice, batch] of [
    [0.1, 7],
    [0.05, 10],
    [0.025, 14],
  ] as const) {
    const { batches } = decided({ ...(JOBS['equal results'] as Job), readPrice, kept: 3 })
    expect(batches.length).toBeGreaterThan(3)
    for (const count of batches.slice(1)) expect(Math.abs(count - batch), `${readPrice}`).toBeLessThanOrEqual(1)
  }
})

it('never clears where no session would be long enough for it', () => {
  const setting = { results: many(() => 200, 12), texts: many(() => 3_000, 12), readPrice: 0.025, kept: 3 }
  expect(decided(setting).cost).toBe(costOf(setting, () => false))
})
