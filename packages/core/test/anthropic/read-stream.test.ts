import { describe, expect, it } from 'vitest'
import { type RawEvent, readStream } from '../../src/anthropic/read-stream.js'
import { resolveModel } from '../../src/models/resolve-model.js'
import type { ModelEvent } from '../../src/types/model.js'

const model = resolveModel('claude-opus-5-5')
const usage = { input_tokens: 10, cache_creation_input_tokens: 30, cache_read_input_tokens: 5, output_tokens: 1 }
const start = {
  type: 'message_start',
  message: { id: 'msg_1', usage: { ...usage, cache_creation: { ephemeral_1h_input_tokens: 20 } } },
}
const stop = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage: { input_tokens: null, output_tokens: 8 },
}

async function* raw(...events: readonly { readonly type: string }[]): AsyncGenerator<RawEvent> {
  for (const event of events) yield { event: event.type, data: JSON.stringify(event) }
}

async function read(...events: readonly { readonly type: string }[]) {
  const told: ModelEvent[] = []
  for await (const event of readStream(raw(...events), model)) told.push(event)
  return told
}

describe('a stream', () => {
  it('that ends without its last event was cut', async () => {
    await expect(read(start)).rejects.toMatchObject({ code: 'STREAM_CUT' })
    await expect(read(start, stop)).rejects.toMatchObject({ code: 'STREAM_CUT' })
    await expect(read()).rejects.toMatchObject({ code: 'STREAM_CUT' })
  })

  it('passes over pings and over events that it does not know', async () => {
    const events = await read({ type: 'ping' }, start, { type: 'something_new' }, stop, { type: 'message_stop' })
    expect(events.map(({ type }) => type)).toEqual(['start', 'end'])
  })

  it('keeps what the first event said of the cache when the last one leaves it out', async () => {
    const [, end] = await read(start, stop, { type: 'message_stop' })
    expect(end).toMatchObject({ usage: { input: 10, cacheWrite5m: 10, cacheWrite1h: 20, cacheRead: 5, output: 8 } })
  })

  it('gives whole what comes whole, and what comes in pieces as its pieces say', async () => {
    const open = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
    const piece = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta })
    const close = (index: number) => ({ type: 'content_block_stop', index })
    const events = await read(
      start,
      open(0, { type: 'redacted_thinking', data: 'sealed' }),
      close(0),
      open(1, { type: 'compaction', content: null }),
      piece(1, { type: 'compaction_delta', content: 'Summary.', encrypted_content: 'e' }),
      close(1),
      open(2, { type: 'text', text: '', citations: null }),
      piece(2, { type: 'text_delta', text: 'Text.' }),
      piece(2, { type: 'citations_delta', citation: { cited_text: 'a' } }),
      close(2),
      stop,
      { type: 'message_stop' },
    )
    expect(events.flatMap((event) => (event.type === 'block' ? [event.block] : []))).toEqual([
      { type: 'redacted_thinking', data: 'sealed' },
      { type: 'compaction', content: 'Summary.', encrypted_content: 'e' },
      { type: 'text', text: 'Text.', citations: [{ cited_text: 'a' }] },
    ])
  })
})
