import fc from 'fast-check'
import { expect, it } from 'vitest'
import { moneyModel } from '../../src/relief/money-model.js'
import type { CutFigures } from '../../src/types/events.js'

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

it('waits until what was read in vain costs as much as what fewer cuts would spare', () => {
  const figures = { readPrice: 0.5, writePrice: 6.25, tokensPerTurn: 1_000, frees: 5_000, isCold: false }
  const cut = { ...figures, rewritten: 3_000, turnsExpected: 200 }
  expect(moneyModel({ ...cut, held: 37_000 }).pays).toBe(false)
  expect(moneyModel({ ...cut, held: 38_000 }).pays).toBe(true)
  // What is written once in any case is no reason to wait.
  expect(moneyModel({ ...cut, held: 13_000, once: 2_000 }).pays).toBe(true)
  const { costs, spared } = moneyModel({ ...cut, held: 13_000, once: 2_000 }).figures
  expect(costs).toBeCloseTo(0.018_75)
  expect(spared).toBeCloseTo(0.006_25)
})

it('still asks that all of it comes in before the session ends, and a quarter more', () => {
  const figures = { readPrice: 0.5, writePrice: 6.25, tokensPerTurn: 1_000, frees: 5_000, isCold: false }
  const cut = { ...figures, rewritten: 30_000, once: 30_000, held: 5_000 }
  expect(moneyModel({ ...cut, turnsExpected: 93 }).pays).toBe(false)
  expect(moneyModel({ ...cut, turnsExpected: 94 }).pays).toBe(true)
})
