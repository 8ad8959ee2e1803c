import { describe, expect, it } from 'vitest'
import { conversations, halfOf } from './conversations.js'
import { INSTRUCTIONS, REPOSITORY } from './repository.js'
import { KINDS } from './types.js'

const texts = conversations.flatMap(({ messages }) => messages.map(({ text }) => text))
const facts = conversations.flatMap((each) => each.facts)

describe('the corpus of traps', () => {
  it('has enough conversations, facts and baits, each under a name of its own', () => {
    expect(conversations.length).toBeGreaterThanOrEqual(70)
    expect(facts.length).toBeGreaterThanOrEqual(40)
    expect(new Set(conversations.map(({ name }) => name)).size).toBe(conversations.length)
  })

  it.each(KINDS)('has %s in both halves, as often in one as in the other', (kind) => {
    const counts = (['tuned', 'held-out'] as const).map(
      (half) => halfOf(half).filter((each) => each.kind === kind).length,
    )
    expect(counts[0]).toBeGreaterThanOrEqual(2)
    expect(counts[0]).toBe(counts[1])
  })

  it('has about as many facts and baits in one half as in the other', () => {
    const count = (half: 'tuned' | 'held-out', what: 'facts' | 'bait') =>
      halfOf(half).reduce((sum, each) => sum + each[what].length, 0)
    for (const what of ['facts', 'bait'] as const) {
      expect(Math.abs(count('tuned', what) - count('held-out', what))).toBeLessThanOrEqual(count('tuned', what) / 5)
    }
  })

  it('has words of its own in each half', () => {
    const said = (half: 'tuned' | 'held-out') =>
      new Set(halfOf(half).flatMap(({ bait }) => bait.map(({ statement }) => statement)))
    expect([...said('tuned')].filter((statement) => said('held-out').has(statement))).toEqual([])
  })

  it('has secrets of at least 15 kinds', () => {
    expect(conversations.filter(({ kind }) => kind === 'secret').length).toBeGreaterThanOrEqual(15)
  })
})

it.each(conversations)('quotes what was said: $name', ({ messages, bait, facts: kept }) => {
  for (const { quote, isInvented } of bait) {
    expect({ quote, isSaid: messages.some(({ text }) => text.includes(quote)) }).toEqual({ quote, isSaid: !isInvented })
  }
  for (const { quote } of kept) {
    expect({ quote, isSaid: messages.some(({ by, text }) => by === 'user' && text.includes(quote)) }).toEqual({
      quote,
      isSaid: true,
    })
  }
})

it('names the fact that another takes the place of', () => {
  const changed = facts.flatMap(({ supersedes }) => (supersedes === undefined ? [] : [supersedes]))
  expect(changed.length).toBeGreaterThanOrEqual(2)
  for (const old of changed) expect(facts.some(({ statement }) => statement === old)).toBe(true)
})

it('is about a repository that has what the conversations name', () => {
  const all = texts.join('\n')
  expect(REPOSITORY.filter((name) => all.includes(name)).length).toBeGreaterThanOrEqual(6)
  expect(INSTRUCTIONS.filter((line) => all.includes(line)).length).toBeGreaterThanOrEqual(2)
})
