import { getEventListeners } from 'node:events'
import Anthropic from '@anthropic-ai/sdk'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { blockPath } from '../../src/anthropic/index.js'
import type { Json } from '../../src/types/log.js'
import type { ModelEnd } from '../../src/types/model.js'
import { blocksOf, endOf, eventsOf, HELLO, requestOf, setUp } from './setup.js'

const read = { name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }
const epoch = { system: [], tools: [read] }
const user = (text: string): Json => ({ role: 'user', content: [{ type: 'text', text }] })

describe('a streamed response', () => {
  it('comes as a start, pieces, whole blocks and an end', async () => {
    const { connect, exchanges } = await setUp({
      model: scripted(['Hello, this is text that is longer than one piece of it.']),
    })
    const events = await eventsOf(connect())
    expect(events.map(({ type }) => type)).toEqual(['start', 'delta', 'delta', 'block', 'end'])
    const { messageId, input } = exchanges[0]?.entry ?? {}
    expect(events[0]).toMatchObject({ type: 'start', messageId, usage: { input } })
    const pieces = events.flatMap((event) => (event.type === 'delta' ? [event.block.text] : []))
    expect(blocksOf(events)).toMatchObject([{ type: 'text', text: pieces.join('') }])
    expect(endOf(events)).toMatchObject({ stop: 'end_turn', thinkingDropped: [] })
  })

  it('holds thinking with its signature, and calls with their input', async () => {
    const reply = [
      { type: 'thinking' as const, thinking: 'Let me look. '.repeat(10) },
      { type: 'tool_use' as const, name: 'read', input: { path: 'a.ts' } },
      { type: 'tool_use' as const, name: 'read', input: {} },
    ]
    const { connect } = await setUp({ model: scripted(() => reply) })
    const model = connect({ thinking: { type: 'adaptive', display: 'summarized' } })
    const events = await eventsOf(model, { ...HELLO, epoch })
    const [thinking, first, second] = blocksOf(events)
    expect(thinking).toMatchObject({ type: 'thinking', thinking: reply[0]?.type === 'thinking' && reply[0].thinking })
    expect(thinking?.signature).toMatch(/./)
    expect(first).toMatchObject({ type: 'tool_use', name: 'read', input: { path: 'a.ts' } })
    expect(second).toMatchObject({ type: 'tool_use', name: 'read', input: {} })
    expect(endOf(events).stop).toBe('tool_use')
    const pieces = events.flatMap((event) =>
      event.type === 'delta' && event.block.id === first?.id ? [event.block] : [],
    )
    expect(pieces.map(({ partialJson }) => partialJson).join('')).toBe('{"path":"a.ts"}')
  })

  it('can be sent back: its thinking holds on the prefix it was made on', async () => {
    const reply = scripted([
      [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'tool_use', name: 'read', input: { path: 'a.ts' } },
      ],
      'Done.',
    ])
    const { connect } = await setUp({ model: reply })
    const model = connect()
    const blocks = blocksOf(await eventsOf(model, { ...HELLO, epoch }))
    const results = [{ type: 'tool_result', tool_use_id: blocks[1]?.id as string, content: 'text' }]
    const answer = { role: 'assistant', content: blocks as unknown as Json }
    const next = requestOf([...HELLO.messages, answer, { role: 'user', content: results }], { epoch })
    expect(blocksOf(await eventsOf(model, next))).toMatchObject([{ text: 'Done.' }])
  })

  it('says of a call that the output limit cut that it can not run', async () => {
    const input = { text: 'word '.repeat(4_000) }
    const { connect } = await setUp({ model: scripted(() => [{ type: 'tool_use', name: 'read', input }]) })
    const events = await eventsOf(connect(), { ...HELLO, epoch, fields: { maxTokens: 100 } })
    const [cut] = events.filter(({ type }) => type === 'block')
    expect(cut).toMatchObject({ block: { input: {} }, problem: expect.stringContaining('not valid JSON') })
    expect(endOf(events).stop).toBe('max_tokens')
  })

  it('leaves out blank text, which no later request may hold', async () => {
    const { connect } = await setUp({ model: scripted(() => ['\n\n', 'Text.']) })
    expect(blocksOf(await eventsOf(connect()))).toMatchObject([{ text: 'Text.' }])
  })
})

describe('a request', () => {
  it('goes out as it is, with its source in a header and not in the body', async () => {
    const { connect, exchanges } = await setUp()
    const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }]
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] }]
    const fields = {
      maxTokens: 100,
      metadata: { user_id: 'u' },
      extra: { source: 'dream', tool_choice: { type: 'auto' } },
    }
    await eventsOf(connect({ effort: 'low' }), requestOf(messages, { epoch: { system, tools: [read] }, fields }))
    const { body, entry } = exchanges[0] as (typeof exchanges)[number]
    expect(entry.source).toBe('dream')
    expect(body).toContain(JSON.stringify(system))
    expect(body).toContain(JSON.stringify(messages))
    expect(JSON.parse(body)).toEqual({
      model: 'claude-opus-5-5',
      max_tokens: 100,
      system,
      tools: [read],
      messages,
      output_config: { effort: 'low' },
      metadata: { user_id: 'u' },
      tool_choice: { type: 'auto' },
      stream: true,
    })
  })

  it('takes the betas of the adapter and its own as a header', async () => {
    const { connect, exchanges } = await setUp()
    const extra = { betas: ['compact-2026-09-04'], context_management: { edits: [] } }
    await eventsOf(connect({ betas: ['context-management-2025-06-27'] }), {
      ...HELLO,
      fields: { maxTokens: 10, extra },
    })
    expect(exchanges[0]?.entry.status).toBe(200)
    expect(JSON.parse(exchanges[0]?.body ?? '')).not.toHaveProperty('betas')
  })

  it('has its own settings before those of the adapter', async () => {
    const { connect, exchanges } = await setUp()
    const extra = { thinking: { type: 'disabled' }, output_config: { effort: 'low' } }
    const model = connect({ model: 'claude-opus-5', thinking: { type: 'adaptive' }, effort: 'high' })
    await eventsOf(model, { ...HELLO, model: 'claude-opus-5', fields: { maxTokens: 10, extra } })
    expect(JSON.parse(exchanges[0]?.body ?? '')).toMatchObject(extra)
  })

  it('leaves nothing behind on a signal that lives longer', async () => {
    const { connect } = await setUp()
    const { signal } = new AbortController()
    for (let call = 0; call < 20; call++) await eventsOf(connect(), HELLO, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('loses the suffix that only says how large the window is', async () => {
    const { connect, exchanges } = await setUp()
    const model = connect({ model: 'claude-opus-4-5[1m]' })
    expect(model.info.window).toBe(1_000_000)
    await eventsOf(model, { ...HELLO, model: 'claude-opus-4-5[1m]' })
    expect(exchanges[0]?.entry.model).toBe('claude-opus-4-5-20251101')
  })

  it('is counted without being answered', async () => {
    const { connect, exchanges } = await setUp()
    const model = connect()
    const { signal } = new AbortController()
    const counted = await model.count?.(HELLO, signal)
    expect(exchanges).toEqual([])
    const end = endOf(await eventsOf(model))
    expect(counted).toBe(end.usage.input)
    expect(await connect({ betas: ['context-management-2025-06-27'] }).count?.(HELLO, signal)).toBe(counted)
  })

  it('goes through a client of one’s own without its retries', async () => {
    const { connect, simulator, exchanges } = await setUp()
    simulator.faults.add({ kind: 'overloaded' })
    const client = new Anthropic({ apiKey: 'key', baseURL: simulator.url, maxRetries: 5 })
    await expect(eventsOf(connect({ client }))).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect(exchanges).toHaveLength(1)
  })
})

describe('thinking that the server takes out', () => {
  it('is named by its path', async () => {
    const { connect } = await setUp({ model: scripted([[{ type: 'thinking', thinking: 'Hm.' }, 'One.'], 'Two.']) })
    const blocks = blocksOf(await eventsOf(connect()))
    const edited = requestOf([
      user('Hello, edited'),
      { role: 'assistant', content: blocks as unknown as Json },
      user('Go on'),
    ])
    const binding = { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } }
    const model = connect({ thinking: binding, betas: ['thinking-binding-controls-2026-08-01'] })
    const end = endOf(await eventsOf(model, edited)) as ModelEnd
    expect(end.droppedPaths).toEqual(['messages.1.content.0'])
    expect(blockPath(end.droppedPaths?.[0] ?? '')).toEqual({ message: 1, block: 0 })
  })
})
