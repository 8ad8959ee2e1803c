import { findIdentifiers } from '@nacre/core'
import { afterAll, describe, expect, it } from 'vitest'
import { type Fact, holds } from './fact.js'
import { runFacts } from './facts-session.js'
import { otherFormats } from './other-formats.js'
import { plantFacts } from './plant-facts.js'

const GENERATORS = { 'planted facts': plantFacts, 'other formats': otherFormats }
type Generator = keyof typeof GENERATORS

/** `npm run bench` asks for more than one seed and for other windows, and shows the table. */
const SEEDS = Number(process.env.FACTS_SEEDS ?? 1)
const WINDOWS = (process.env.FACTS_WINDOWS ?? '100000').split(',').map(Number)
const RUNS = WINDOWS.flatMap((window) =>
  (Object.keys(GENERATORS) as Generator[]).flatMap((generator) =>
    Array.from({ length: SEEDS }, (_, index) => ({ generator, window, seed: index + 1 })),
  ),
)

const table: Record<string, unknown>[] = []
afterAll(() => {
  if (process.env.FACTS_SEEDS) console.table(table)
})

describe('after three compactions with the offline summariser', () => {
  it.each(RUNS)(
    '$generator, window $window, seed $seed: the index of exact names keeps many in view, and Recall gives each',
    {
      timeout: 120_000,
    },
    async ({ generator, window, seed }) => {
      const facts = GENERATORS[generator](seed)
      const { inView, withoutAnchors, notRecalled, compactions, refused } = await runFacts(facts, {
        window,
        seed,
        recalls: true,
      })
      table.push({
        generator,
        window,
        seed,
        facts: facts.length,
        'with anchors': inView.length,
        'without anchors': withoutAnchors.length,
        'by one Recall': facts.length - notRecalled.length,
      })
      expect(facts).toHaveLength(120)
      expect(compactions).toBe(3)
      expect(refused).toBe(0)
      expect(notRecalled).toEqual([])
      expect(inView.length).toBeGreaterThan(facts.length / 3)
      expect(inView.length).toBeGreaterThan(withoutAnchors.length + 5)
      // What the user said is kept word for word; a later summary may drop what an earlier one had quoted.
      const said = facts.filter(({ isSaid }) => isSaid)
      expect(inView.filter(({ isSaid }) => isSaid).length).toBeGreaterThanOrEqual(said.length * 0.9)
    },
  )
})

describe('exact names', () => {
  it.each(Object.entries(GENERATORS))('are found in the lines of %s, whatever the seed', (_, generate) => {
    const facts = Array.from({ length: 20 }, (_, seed) => generate(seed + 100))
      .flat()
      .filter(({ isSaid }) => !isSaid)
    const missed = facts.filter((fact) => !isFound(fact))
    expect(missed.length).toBeLessThan(facts.length * 0.02)
    expect(new Set(facts.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(5)
  })
})

function isFound(fact: Fact): boolean {
  return findIdentifiers(fact.line).some((name) => holds(name, fact))
}
