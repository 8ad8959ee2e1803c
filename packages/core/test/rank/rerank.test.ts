import { describe, expect, it } from 'vitest'
import { createRanker, rerank } from '../../src/index.js'

const texts: Readonly<Record<string, string>> = {
  car: 'The car is in the garage.',
  auto: 'My automobile is in the garage.',
  cat: 'The cat is in the garage.',
}

/** Knows that two of the words mean the same. */
const embed = async (given: readonly string[]) =>
  given.map((text) => [/\bcar\b|automobile/.test(text) ? 1 : 0, /cat/.test(text) ? 1 : 0, 0.1])

function found() {
  const ranker = createRanker()
  for (const [id, text] of Object.entries(texts)) ranker.add({ id, text })
  return ranker.rank('car in the garage')
}

describe('rerank', () => {
  it('brings forward what means the same, and leaves what fits by both in front', async () => {
    expect(found().map(({ id }) => id)).toEqual(['car', 'cat', 'auto'])
    const again = await rerank('car in the garage', found(), { embed, textOf: (id) => texts[id] })
    expect(again.map(({ id }) => id)).toEqual(['car', 'auto', 'cat'])
    expect(again[0]).toMatchObject({ share: 1, words: ['car', 'garag'] })
  })

  it('leaves what has no text where its words put it', async () => {
    const again = await rerank('car', found(), { embed, textOf: (id) => (id === 'cat' ? undefined : texts[id]) })
    expect(again.map(({ id }) => id)).toEqual(['car', 'cat', 'auto'])
  })

  it('asks nothing where there is nothing to sort', async () => {
    const refuses = () => Promise.reject(new Error('asked'))
    expect(await rerank('car', [], { embed: refuses, textOf: () => 'x' })).toEqual([])
    expect(await rerank('car', found(), { embed: refuses, textOf: () => undefined })).toEqual(found())
  })

  it('keeps the order where all mean the same', async () => {
    const same = async (given: readonly string[]) => given.map(() => [1, 0])
    const again = await rerank('car', found(), { embed: same, textOf: (id) => texts[id] })
    expect(again.map(({ id }) => id)).toEqual(found().map(({ id }) => id))
  })
})
