import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRanker } from '../../src/index.js'

const ALPHABETS = [
  '東京都大阪市民日本語',
  'ひらがなカタカナー',
  'กขคงจฉชซาี',
  'кошкамиры',
  'αβγδςσΣ',
  'שלוםעבר',
  'سلامكتب',
  '한국어말',
  'कखगघाि',
  '🚀🎉⭐',
  '١٢٣',
]
const OTHER = ALPHABETS.flatMap((letters) => [...letters])
const letter = fc.constantFrom(...OTHER)
const between = fc.constantFrom(' ', '。', '、', ' latin ', '\n', '')
const text = fc
  .array(
    fc.tuple(letter, letter, between).map((parts) => parts.join('')),
    { maxLength: 80 },
  )
  .map((parts) => parts.join(''))
const all = { limit: Number.POSITIVE_INFINITY }

/** A text, and a piece of it with at least one of its letters. */
const cut = fc
  .tuple(text, fc.nat(), fc.integer({ min: 1, max: 8 }))
  .map(([whole, at, length]) => {
    const letters = [...whole]
    const start = letters.length === 0 ? 0 : at % letters.length
    return { whole, piece: letters.slice(start, start + length).join('') }
  })
  .filter(({ piece }) => [...piece].some((each) => OTHER.includes(each)) && !/[a-z]/.test(piece))

describe('writing without spaces, or other than Latin', () => {
  it.each([
    ['京都', '東京都に住んでいます', '大阪に住んでいます'],
    ['住んで', '東京都に住んでいます', '大阪です'],
    ['кошк', 'Моя кошка спит', 'Моя собака лает'],
    ['แมว', 'ฉันมีแมวสองตัว', 'ฉันชอบหมา'],
    ['고양이', '우리 고양이는 잔다', '개가 짖는다'],
    ['🚀', 'Released 🚀 today', 'Released today'],
  ])('%s is found in %s', (query, having, other) => {
    const ranker = createRanker()
    ranker.add({ id: 'having', text: having })
    ranker.add({ id: 'other', text: other })
    expect(ranker.rank(query)[0]).toMatchObject({ id: 'having', share: 1 })
  })

  it('is never searched worse than by plain comparison of letters', () => {
    fc.assert(
      fc.property(
        cut,
        fc.array(fc.tuple(text, fc.constantFrom('one', 'two', undefined)), { maxLength: 8 }),
        ({ whole, piece }, others) => {
          const texts = [...others, [whole, 'one'] as const].map(([each, group], index) => ({
            id: String(index),
            text: each,
            ...(group && { group }),
          }))
          const ranker = createRanker()
          for (const each of texts) ranker.add(each)
          const found = ranker.rank(piece, all).map(({ id }) => id)
          const letters = [...piece.toLowerCase().replaceAll('ς', 'σ')].filter((each) => OTHER.includes(each))
          const having = texts.filter((each) => each.text.includes(piece)).map(({ id }) => id)
          const without = texts.filter(
            (each) => !letters.some((one) => each.text.toLowerCase().replaceAll('ς', 'σ').includes(one)),
          )
          expect(found).toEqual(expect.arrayContaining(having))
          for (const { id } of without) {
            const place = found.indexOf(id)
            if (place >= 0) expect(place).toBeGreaterThan(Math.max(...having.map((each) => found.indexOf(each))))
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
