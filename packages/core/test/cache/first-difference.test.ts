import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstDifference } from '../../src/cache/prefix.js'
import type { RenderedMessage } from '../../src/request/user-turn.js'
import type { BlockPosition } from '../../src/types/model.js'
import { said, talk, turns } from './talk.js'

const SEED = Number(process.env.FUZZ_SEED ?? 7)

/** Block by block from the start. */
function walk(before: readonly RenderedMessage[], after: readonly RenderedMessage[]): BlockPosition | undefined {
  for (const [message, { blocks }] of before.entries()) {
    const now = after[message]?.blocks ?? []
    const length = message < before.length - 1 ? Math.max(blocks.length, now.length) : blocks.length
    for (let block = 0; block < length; block++) {
      if (JSON.stringify(blocks[block]?.block) !== JSON.stringify(now[block]?.block)) return { message, block }
    }
  }
  return undefined
}

function counted(messages: readonly RenderedMessage[]) {
  const counter = { reads: 0 }
  const get = (target: readonly RenderedMessage[], key: string | symbol) => {
    if (typeof key === 'string' && /^\d+$/.test(key)) counter.reads += 1
    return Reflect.get(target, key)
  }
  return { counter, messages: new Proxy(messages, { get }) as readonly RenderedMessage[] }
}

describe('the first difference', () => {
  it('is the one that a walk over all blocks finds', async () => {
    const word = fc.constantFrom('a', 'b')
    const conversation = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 12 })
    await fc.assert(
      fc.property(conversation, conversation, fc.nat({ max: 12 }), (one, two, shared) => {
        const toTalk = (words: readonly (readonly string[])[]) =>
          talk(words.map((blocks) => blocks.map((text) => said(text))))
        const before = toTalk(one)
        const after = toTalk([...one.slice(0, shared), ...two])
        expect(firstDifference(before, after)).toEqual(walk(before, after))
      }),
      { numRuns: 500, seed: SEED },
    )
  })

  it('is looked for in one place when a conversation goes on, and in few when it does not', () => {
    const all = talk(turns(20_001))
    const [before, after] = [counted(all.slice(0, 20_000)), counted(all)]
    expect(firstDifference(before.messages, after.messages)).toBeUndefined()
    expect(before.counter.reads + after.counter.reads).toBeLessThan(6)
    const other = talk(turns(20_000).with(7_000, [said('other')]))
    expect(firstDifference(before.messages, other)).toEqual({ message: 7_000, block: 0 })
    expect(before.counter.reads).toBeLessThan(30)
  })

  it('is not hidden by a signed summary, which has the chain of what it stands for', () => {
    const before = talk(turns(6))
    const after = before.map((message) => ({ ...message, position: message.position + 1 }))
    const summary = { ...(after[0] as RenderedMessage), blocks: [said('summary'), said('more')] }
    expect(firstDifference(before, [summary, ...after.slice(1)])).toEqual({ message: 0, block: 0 })
  })

  it('is none in a last message that has grown, and is one in a message before it', () => {
    const [first, second, third] = turns(3) as [ReturnType<typeof said>[], ReturnType<typeof said>[], []]
    const before = talk([first, second])
    expect(firstDifference(before, talk([first, [...second, said('more')], third]))).toBeUndefined()
    expect(firstDifference(before, talk([[...first, said('more')], second]))).toEqual({ message: 0, block: 1 })
  })
})
