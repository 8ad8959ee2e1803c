import { describe, expect, it } from 'vitest'
import { contentStems, createRanker } from '../../src/index.js'
import { passagesOf } from '../../src/rank/words.js'

describe('contentStems', () => {
  it.each([
    ['What did the children buy?', ['child', 'bui']],
    ["Caroline's cats weren't running", ['carolin', 'cat', 'run']],
    ['She went; he’s gone', ['go', 'go']],
    [
      'ERR_LEDGER_MISMATCH at src/books/ledger.ts:42',
      ['err', 'ledger', 'mismatch', 'src', 'book', 'ledger', 'ts', '42'],
    ],
    ['the commit 9f3ab21c', ['commit', '9f3ab21c']],
    ['Café CAFE\u0301 cafe', ['cafe', 'cafe', 'cafe']],
    ['Кошка спит', ['кошка', 'спит']],
    ['', []],
    ['what was it?', []],
  ])('of %j', (text, stems) => {
    expect(contentStems(text)).toEqual(stems)
  })

  it('parts writing without spaces into words', () => {
    expect(contentStems('東京に住んでいます').length).toBeGreaterThan(1)
    expect(contentStems('แมวกินปลา').length).toBeGreaterThan(1)
  })
})

describe('a text', () => {
  const words = (count: number, word = 'word') =>
    Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ')

  it('is cut into passages at ends of sentences', () => {
    const passages = passagesOf(`${words(40, 'a')}. ${words(15, 'b')}! ${words(30, 'c')}\n${words(5, 'd')}`)
    expect(passages.map(({ length }) => length)).toEqual([55, 35])
  })

  it('is cut inside of a sentence only where it has more than 60 words', () => {
    expect(passagesOf(words(130)).map(({ length }) => length)).toEqual([60, 60, 10])
    expect(passagesOf('Version 3.5 is out. Done.')).toHaveLength(1)
  })

  it('that is long is as easy to find as a short one', () => {
    const ranker = createRanker()
    ranker.add({ id: 'long', text: `${words(500)}. The harbour is closed in winter. ${words(500)}` })
    ranker.add({ id: 'short', text: 'In winter we ski.' })
    expect(ranker.rank('harbour winter')[0]?.id).toBe('long')
  })
})
