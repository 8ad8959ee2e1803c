import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type CutFigures, moneyModel } from '../../src/relief/money-model.js'

const cut: fc.Arbitrary<CutFigures> = fc.record({
  readPrice: fc.double({ min: 0.01, max: 5, noNaN: true }),
  writePrice: fc.double({ min: 0.1, max: 20, noNaN: true }),
  rewritten: fc.nat({ max: 200_000 }),
  tokensPerTurn: fc.integer({ min: 1, max: 20_000 }),
  frees: fc.nat({ max: 200_000 }),
  isCold: fc.boolean(),
  turnsExpected: fc.nat({ max: 300 }),
})
const runs = { numRuns: 500, seed: 11 }

it('never turns a yes into a no when more is freed', async () => {
  await fc.assert(
    fc.property(cut, fc.nat({ max: 100_000 }), (figures, more) => {
      if (moneyModel(figures).pays) expect(moneyModel({ ...figures, frees: figures.frees + more }).pays).toBe(true)
    }),
    runs,
  )
})

it('always pays on a cold cache when something is freed, and never when nothing is', async () => {
  await fc.assert(
    fc.property(cut, (figures) => {
      expect(moneyModel({ ...figures, isCold: true }).pays).toBe(figures.frees > 0)
      expect(moneyModel({ ...figures, frees: 0 }).pays).toBe(false)
    }),
    runs,
  )
})

it('does not pay when the session ends before the cut has', () => {
  const figures = {
    readPrice: 0.5,
    writePrice: 6.25,
    rewritten: 5_000,
    tokensPerTurn: 10,
    frees: 40_000,
    isCold: false,
  }
  expect(moneyModel({ ...figures, turnsExpected: 1 }).pays).toBe(false)
  expect(moneyModel({ ...figures, turnsExpected: 50 }).pays).toBe(true)
})

it('counts what the cut itself costs, also on a cold cache', () => {
  const figures = {
    readPrice: 0.5,
    writePrice: 6.25,
    rewritten: 0,
    tokensPerTurn: 100,
    isCold: true,
    turnsExpected: 20,
  }
  expect(moneyModel({ ...figures, frees: 10_000, dollars: 1 }).pays).toBe(false)
  expect(moneyModel({ ...figures, frees: 10_000, dollars: 0.001 }).pays).toBe(true)
})

it('gives the figures of the specification: 9 results of three kept ones at a read price of a tenth', () => {
  const result = 1_000
  const prices = { readPrice: 0.1, writePrice: 1.25 }
  const { figures } = moneyModel({ ...prices, rewritten: 3 * result, tokensPerTurn: result, ...REST })
  expect(Math.round(figures.bestTurns)).toBe(9)
})

const REST = { frees: 1, isCold: false, turnsExpected: 100 }
const TURNS = 200

/** Dollars for a million, over a session: every turn reads what lies in store, every cut writes what stands behind it. */
function costOf(figures: CutFigures, isTime: (stock: number, turn: number) => boolean): number {
  let stock = 0
  let cost = 0
  for (let turn = 1; turn <= TURNS; turn++) {
    stock += figures.tokensPerTurn
    if (isTime(stock, turn)) {
      cost += figures.writePrice * figures.rewritten
      stock = 0
    }
    cost += figures.readPrice * stock
  }
  return cost
}

it('costs at most a tenth more than the best batch that trying all of them finds', () => {
  for (const readPrice of [0.025, 0.05, 0.1, 0.5]) {
    for (const rewritten of [500, 2_000, 6_000]) {
      for (const tokensPerTurn of [200, 1_000, 3_000]) {
        const figures = { readPrice, writePrice: 1.25, rewritten, tokensPerTurn, ...REST }
        const { bestTurns } = moneyModel(figures).figures
        // Beyond, two or three cuts make a session, and where its end falls decides more than any rule.
        if (bestTurns < 2 || bestTurns > 25) continue
        const costs = Array.from({ length: TURNS }, (_, index) =>
          costOf(figures, (_stock, turn) => turn % (index + 1) === 0),
        )
        const decided = costOf(
          figures,
          (stock, turn) => moneyModel({ ...figures, frees: stock, turnsExpected: TURNS - turn }).pays,
        )
        expect(decided, JSON.stringify(figures)).toBeLessThanOrEqual(Math.min(...costs) * 1.1)
      }
    }
  }
})
