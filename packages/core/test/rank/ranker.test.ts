import { describe, expect, it } from 'vitest'
import { createRanker, type RankedText } from '../../src/index.js'

function rankerOf(...texts: readonly (RankedText | string)[]) {
  const ranker = createRanker()
  for (const [index, text] of texts.entries()) ranker.add(typeof text === 'string' ? { id: `t${index}`, text } : text)
  return ranker
}

const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)

describe('a ranker', () => {
  it('finds words in other forms, rare words before common ones', () => {
    const ranker = rankerOf('We painted the kitchen.', 'The kitchen is large.', 'A kitchen has a painter.', 'Nothing.')
    expect(ids(ranker.rank('Who paints kitchens?'))).toEqual(['t0', 't2', 't1'])
  })

  it('tells by the share what fits from what is merely the best', () => {
    const ranker = rankerOf('The deploy port is 48211.', 'Cats sleep.', 'Dogs bark.')
    const [fits] = ranker.rank('deploy port')
    const [merely] = ranker.rank('port of the submarine sandwich recipe')
    expect(fits).toMatchObject({ id: 't0', share: 1, words: ['deploi', 'port'] })
    expect(merely).toMatchObject({ id: 't0', words: ['port'] })
    expect(merely?.share).toBeLessThan(0.4)
  })

  it('gives nothing for a query without words that count, and for an empty one', () => {
    const ranker = rankerOf('What was it?', 'Who are you?')
    expect(ranker.rank('what was it')).toEqual([])
    expect(ranker.rank('')).toEqual([])
    expect(createRanker().rank('anything')).toEqual([])
  })

  it('gives ten unless told, of equals the newest first', () => {
    const ranker = rankerOf(...Array.from({ length: 12 }, () => 'same words'))
    expect(ids(ranker.rank('words'))).toEqual(['t11', 't10', 't9', 't8', 't7', 't6', 't5', 't4', 't3', 't2'])
    expect(ranker.rank('words', { limit: 3 })).toHaveLength(3)
    expect(ranker.rank('words', { limit: Number.POSITIVE_INFINITY })).toHaveLength(12)
  })

  it('replaces a known id, and forgets what is removed', () => {
    const ranker = rankerOf('red apples', 'green pears')
    ranker.add({ id: 't0', text: 'blue plums' })
    ranker.remove('t1')
    ranker.remove('unknown')
    expect(ranker.size).toBe(1)
    expect(ids(ranker.rank('apples pears'))).toEqual([])
    expect(ids(ranker.rank('plums'))).toEqual(['t0'])
  })
})

describe('neighbours', () => {
  const log = (...texts: readonly string[]) => texts.map((text, index) => ({ id: `m${index}`, text, group: 'one' }))

  it('lend a text their score: an answer is found by its question', () => {
    const ranker = rankerOf(...log('Nice day.', 'Where did you buy the violin?', 'In Cremona.', 'Good.'), {
      id: 'other',
      text: 'In Cremona.',
      group: 'two',
    })
    expect(ids(ranker.rank('buy violin')).slice(0, 2)).toEqual(['m1', 'm2'])
    expect(ids(ranker.rank('buy violin'))).not.toContain('other')
  })

  it('never lift what has nothing of a query above what has all of it', () => {
    const ranker = rankerOf(
      ...log('violin', 'hm', 'violin'),
      { id: 'whole', text: `The violin ${'is old and worn and loud '.repeat(8)}`, group: 'two' },
      { id: 'last', text: 'Yes.', group: 'two' },
    )
    const found = ids(ranker.rank('violin'))
    expect(found.indexOf('m1')).toBeGreaterThan(found.indexOf('whole'))
  })

  it('are those of the same group only, in the order of adding, without those that were removed', () => {
    const ranker = rankerOf(...log('alpha', 'b', 'c', 'd'))
    ranker.remove('m1')
    ranker.add({ id: 'm4', text: 'omega', group: 'two' })
    expect(ids(ranker.rank('alpha'))).toEqual(['m0', 'm2', 'm3'])
  })

  it('do not distort where each text stands alone, whether it has a group of its own or none', () => {
    const texts = ['red apples and pears', 'red apples', 'pears '.repeat(90), 'red wine', 'white wine. And apples.']
    const without = rankerOf(...texts)
    const own = rankerOf(...texts.map((text, index) => ({ id: `t${index}`, text, group: `g${index}` })))
    for (const query of ['red apples', 'wine', 'pears and wine']) expect(own.rank(query)).toEqual(without.rank(query))
  })
})

describe('a query', () => {
  const said = (id: string, speaker: string, text: string): RankedText => ({ id, speaker, text })

  it('that names a speaker wants what that speaker said, and the name is no word of it', () => {
    const ranker = rankerOf(
      said('1', 'Melanie', 'Hey Caroline, I run every morning!'),
      said('2', 'Caroline', 'I run too.'),
    )
    const found = ranker.rank("What are Caroline's runs like?")
    expect(ids(found)).toEqual(['2', '1'])
    expect(found[1]?.words).toEqual(['run'])
  })

  it('that is nothing but a name wants what is said of it', () => {
    expect(
      ids(rankerOf(said('1', 'Caroline', 'Hm.'), said('2', 'Mel', 'Caroline is here.')).rank('Caroline?')),
    ).toEqual(['2'])
  })

  it('in the first person wants what the user said', () => {
    const ranker = rankerOf(
      said('1', 'assistant', 'Your budget is fine.'),
      said('2', 'user', 'The budget, as planned, is 300.'),
    )
    expect(ids(ranker.rank('What is my budget?', { user: 'user' }))).toEqual(['2', '1'])
    expect(ids(ranker.rank('What is the budget?', { user: 'user' }))).toEqual(['1', '2'])
  })

  it('does not take a role for a name, nor a common word without its capital', () => {
    const ranker = rankerOf(said('1', 'user', 'rows'), said('2', 'Will', 'user rows'), said('3', 'May Lin', 'x'))
    expect(ids(ranker.rank('user rows'))).toEqual(['2', '1'])
    expect(ids(ranker.rank('will there be rows'))).toEqual(['1', '2'])
    expect(ids(ranker.rank('which rows has Will'))).toEqual(['2', '1'])
  })

  it.each([
    ['in May', '2'],
    ['on 8 May 2023', '2'],
    ['on May 8th', '2'],
    ['on 2023-05-08', '2'],
    ['in 2023-07', '3'],
    ['in july', '1'],
    ['on july 3', '3'],
    ['in May 2022', '1'],
    ['may I ask', '1'],
  ])('%s favours texts of that time', (when, first) => {
    const at = (id: string, date: string) => ({ id, text: 'We met for lunch.', time: Date.parse(date) })
    const ranker = rankerOf(at('3', '2023-07-03'), at('2', '2023-05-08T23:00Z'), at('1', '2024-01-01'))
    expect(ids(ranker.rank(`Who met for lunch ${when}?`))[0]).toBe(first)
  })

  it('that begins with May asks for leave', () => {
    const ranker = rankerOf(
      { id: 'may', text: 'Lunch.', time: Date.UTC(2023, 4, 8) },
      { id: 'june', text: 'Lunch.', time: Date.UTC(2023, 5, 8) },
    )
    expect(ids(ranker.rank('May I have lunch?'))).toEqual(['june', 'may'])
    expect(ids(ranker.rank('May 2023 lunch'))).toEqual(['may', 'june'])
  })

  it('with a date favours all texts of a group that has one of that date', () => {
    const at = (id: string, group: string, date: string) => ({ id, group, text: 'lunch', time: Date.parse(date) })
    const ranker = rankerOf(
      at('1', 'a', '2023-05-08'),
      at('2', 'a', '2023-05-09'),
      at('3', 'b', '2023-06-01'),
      at('4', 'b', '2023-06-02'),
    )
    expect(ids(ranker.rank('lunch on May 8')).slice(0, 2).sort()).toEqual(['1', '2'])
    ranker.remove('1')
    expect(ids(ranker.rank('lunch on May 8'))[0]).not.toBe('2')
  })
})
