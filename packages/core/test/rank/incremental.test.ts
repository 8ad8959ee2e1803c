import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRanker, type RankedText } from '../../src/index.js'

const WORDS = ['red', 'apples', 'running', 'ran', 'kitchen', 'кошка', '東京都', 'I', 'the', 'Ann', 'May', '42', 'x.']
const sentence = fc.array(fc.constantFrom(...WORDS), { maxLength: 90 }).map((words) => words.join(' '))
const text: fc.Arbitrary<RankedText> = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    text: sentence,
    speaker: fc.constantFrom('Ann', 'Bob', 'user'),
    group: fc.constantFrom('one', 'two'),
    time: fc.constantFrom(Date.UTC(2023, 4, 8), Date.UTC(2023, 6, 1)),
  },
  { requiredKeys: ['id', 'text'] },
)
const step = fc.oneof(
  { weight: 3, arbitrary: text },
  text.map(({ id }) => id),
)
const query = fc
  .array(fc.constantFrom(...WORDS, 'absent'), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '))
const all = { limit: Number.POSITIVE_INFINITY, user: 'user' }

/** What is there after the steps, in the order in which neighbours stand. */
function left(steps: readonly (RankedText | string)[]): readonly RankedText[] {
  const texts = new Map<string, RankedText>()
  for (const one of steps) {
    const id = typeof one === 'string' ? one : one.id
    if (typeof one === 'string' || texts.get(id)?.group !== one.group) texts.delete(id)
    if (typeof one !== 'string') texts.set(id, one)
  }
  return [...texts.values()]
}

function take(steps: readonly (RankedText | string)[]) {
  const ranker = createRanker()
  for (const one of steps) typeof one === 'string' ? ranker.remove(one) : ranker.add(one)
  return ranker
}

describe('a ranker that is kept up', () => {
  it('ranks as one that is built anew', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.array(query, { minLength: 1, maxLength: 3 }),
        (steps, queries) => {
          const kept = take(steps)
          const built = take(left(steps))
          expect(kept.size).toBe(built.size)
          for (const each of queries) expect(kept.rank(each, all)).toEqual(built.rank(each, all))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('ranks as if what was removed had never been there, also after many removals', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), query, (texts, each) => {
        const kept = take(texts)
        for (let index = 0; index < 400; index++) {
          kept.add({ id: `gone${index}`, text: `red kitchen ${index}`, group: 'one', speaker: 'Zoe' })
          if (index >= 5) kept.remove(`gone${index - 5}`)
        }
        for (let index = 395; index < 400; index++) kept.remove(`gone${index}`)
        expect(kept.rank(`${each} Zoe`, all)).toEqual(take(left(texts)).rank(`${each} Zoe`, all))
      }),
      { numRuns: 30 },
    )
  })

  it('answers the same question the same way, whatever was asked between', () => {
    fc.assert(
      fc.property(fc.array(text), query, query, (texts, first, second) => {
        const ranker = take(texts)
        const before = ranker.rank(first, all)
        ranker.rank(second, all)
        expect(ranker.rank(first, all)).toEqual(before)
      }),
    )
  })

  it('gives shares from 0 to 1, and the words that a text has', () => {
    fc.assert(
      fc.property(fc.array(text), query, (texts, each) => {
        for (const { share, words, score } of take(texts).rank(each, all)) {
          expect(score).toBeGreaterThan(0)
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
          if (words.length > 0) expect(share).toBeGreaterThan(0)
        }
      }),
    )
  })
})
