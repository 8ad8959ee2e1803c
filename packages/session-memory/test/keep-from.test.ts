import type { Round, View } from '@nacre/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keepFrom } from '../src/relief/keep-from.js'

interface Shape {
  readonly tokens: number
  readonly texts: number
  readonly isFolded: boolean
}

function viewOf(shapes: readonly Shape[]): View {
  const rounds = shapes.map(({ tokens, texts, isFolded }, number): Round => {
    const span = { from: `${number}`, to: `${number}` }
    if (isFolded) return { span, tokens, entries: [], content: [{ type: 'text', text: 'folded' }] }
    const content = [{ type: 'text', text: 'words' }]
    return {
      span,
      tokens,
      entries: Array.from({ length: texts }, (_, id) => ({ kind: 'user', id: `${id}`, time: 0, content })),
    }
  })
  return { rounds } as unknown as View
}

const shape = fc.record({
  tokens: fc.oneof(fc.nat(3_000), fc.nat(30_000)),
  texts: fc.nat(3),
  isFolded: fc.nat(9).map((chance) => chance === 0),
})

it('keeps all that is not covered and what fits before it, never across a fold and never too much', () => {
  fc.assert(
    fc.property(fc.array(shape, { minLength: 1, maxLength: 20 }), fc.nat(20), (shapes, place) => {
      const round = Math.min(place, shapes.length)
      const sum = (from: number, to?: number) => shapes.slice(from, to).reduce((all, { tokens }) => all + tokens, 0)
      const start = keepFrom(viewOf(shapes), { round, entry: 0 }, 1)
      if (start === undefined) {
        expect(sum(round)).toBeGreaterThan(40_000)
        return
      }
      expect(start).toBeLessThanOrEqual(round)
      expect(sum(start)).toBeLessThanOrEqual(40_000)
      expect(shapes.slice(start, round).some(({ isFolded }) => isFolded)).toBe(false)
      const messages = shapes.slice(start).reduce((all, { texts, isFolded }) => all + (isFolded ? 0 : texts), 0)
      const before = shapes[start - 1]
      const isEnough = sum(start) >= 10_000 && messages >= 5
      // It stops short of enough only at the start, at a fold, or where one more would be too much.
      expect(isEnough || !before || before.isFolded || sum(start - 1) > 40_000).toBe(true)
      if (start === round) return
      const fewer = shapes.slice(start + 1).reduce((all, { texts, isFolded }) => all + (isFolded ? 0 : texts), 0)
      expect(sum(start + 1) < 10_000 || fewer < 5).toBe(true)
    }),
    { seed: 4, numRuns: 1_000 },
  )
})
