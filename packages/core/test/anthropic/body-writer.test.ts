import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BodyWriter, createBodyWriter } from '../../src/anthropic/body-writer.js'
import type { Json } from '../../src/types/log.js'

const decoder = new TextDecoder()

/** What a writer writes, given back at once. */
function written(write: BodyWriter, body: Parameters<BodyWriter>[0]): string {
  const { bytes, giveBack } = write(body)
  const text = decoder.decode(bytes)
  giveBack()
  return text
}

describe('a body writer', () => {
  it('writes what JSON.stringify writes, whatever it wrote before', () => {
    const pool: readonly Json[] = Array.from({ length: 12 }, (_, index) => ({
      role: index % 2 ? 'assistant' : 'user',
      content: [{ type: 'text', text: `${'é\u2028\ud800"'.repeat(index)} ${'word '.repeat(index * 150)}` }],
    }))
    const conversation = fc.array(fc.nat({ max: pool.length - 1 }), { maxLength: 12 })
    const bodies = fc.record(
      { model: fc.constantFrom('one', 'two'), system: fc.jsonValue(), messages: conversation, stream: fc.boolean() },
      { requiredKeys: ['messages'] },
    )
    fc.assert(
      fc.property(fc.array(bodies, { maxLength: 12 }), (sent) => {
        const write = createBodyWriter()
        for (const { messages, ...rest } of sent) {
          const body = { ...rest, messages: messages.map((index) => pool[index] as Json) } as Parameters<BodyWriter>[0]
          expect(written(write, body)).toBe(JSON.stringify(body))
        }
      }),
      { seed: 11, numRuns: 150 },
    )
  })

  it('keeps the order of fields, and leaves out what is not there', () => {
    const body = { model: 'm', system: undefined, messages: [], thinking: { type: 'adaptive' }, stream: true }
    expect(written(createBodyWriter(), body)).toBe(JSON.stringify(body))
    expect(written(createBodyWriter(), { model: 'm' })).toBe('{"model":"m"}')
  })

  it('writes a message once, however often it is sent', () => {
    let times = 0
    const message = { toJSON: () => ({ role: 'user', content: `written ${++times}` }) } as unknown as Json
    const write = createBodyWriter()
    const first = written(write, { messages: [message] })
    expect(written(write, { messages: [message, null] })).toBe(first.replace(']', ',null]'))
  })

  it('leaves bytes alone that are on their way', () => {
    const write = createBodyWriter()
    const one = write({ messages: ['one'] })
    const two = write({ messages: ['two'] })
    expect([one, two].map(({ bytes }) => decoder.decode(bytes))).toEqual([
      '{"messages":["one"]}',
      '{"messages":["two"]}',
    ])
    one.giveBack()
    expect(written(write, { messages: ['one', 'three'] })).toBe('{"messages":["one","three"]}')
  })
})
