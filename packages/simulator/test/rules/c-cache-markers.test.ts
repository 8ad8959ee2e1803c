import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { scripted } from '../../src/index.js'
import {
  assistant,
  bill,
  blocks,
  count,
  mark,
  type Request,
  request,
  split,
  splitOf,
  text,
  tiny,
  tool,
  user,
} from '../support/prompt-cache.js'
import { rejection, send, simulate } from '../support/simulate.js'

const FOUND_5 = 'A maximum of 4 blocks with cache_control may be provided. Found 5.'

describe('Markers of the prompt cache', () => {
  it('[C19] puts a top-level marker on the last block', async () => {
    const { client } = await simulate({ models: [tiny] })
    const total = await count(client, request(blocks(3)))
    expect(await bill(client, request(blocks(3), mark()))).toEqual(split({ write5m: total }))
    expect(await bill(client, request(blocks(3), mark()))).toEqual(split({ read: total }))
    const longer = await count(client, request(blocks(5)))
    expect(await bill(client, request(blocks(5), mark('1h')))).toEqual(split({ read: total, write1h: longer - total }))
  })

  it('[C19] passes over blocks that can not carry a top-level marker', async () => {
    const model = scripted(() => [{ type: 'thinking', thinking: 'hm' }, 'ok'])
    const { client } = await simulate({ models: [{ ...tiny, like: 'claude-haiku-4-5' }], model })
    const asked = request(blocks(2), { max_tokens: 2_000, thinking: { type: 'enabled', budget_tokens: 1_024 } })
    const { content } = await client.messages.create(asked)
    const thinking = content.filter((block) => block.type === 'thinking')
    expect(thinking).toHaveLength(1)
    const open: Request = { ...asked, messages: [...asked.messages, assistant(...thinking)], ...mark() }
    const [marked, total] = [await count(client, asked), await count(client, open)]
    expect(total).toBeGreaterThan(marked)
    expect(await bill(client, open)).toEqual(split({ write5m: marked, input: total - marked }))
  })

  it('[C19] passes over a system message that is soon cleared', async () => {
    const { client } = await simulate({ models: [tiny] })
    const body = request(blocks(2))
    const marked = await count(client, body)
    const passing = { role: 'system' as const, content: 'Be brief.', clear_at: 'next_user_message' as const }
    const { usage } = await client.beta.messages.create({
      model: 'tiny',
      max_tokens: 100,
      messages: [{ role: 'user', content: blocks(2) }, passing],
      betas: ['mid-conversation-system-clear-at-2026-08-21'],
      ...mark(),
    })
    expect(splitOf(usage)).toEqual(split({ write5m: marked, input: usage.input_tokens }))
    expect(usage.input_tokens).toBeGreaterThan(0)
  })

  it('[C19] does nothing with a top-level marker that is there already', async () => {
    const { client } = await simulate({ models: [tiny] })
    const body = request(blocks(4, { 1: '5m', 2: '5m', 3: '5m', 4: '5m' }), mark())
    expect(await bill(client, body)).toEqual(split({ write5m: await count(client, body) }))
  })

  it('[C19] refuses a top-level marker of another lifetime than the one there', async () => {
    const { client } = await simulate({ models: [tiny] })
    const error = await rejection(client.messages.create(request(blocks(2, { 2: '5m' }), mark('1h'))))
    expect([error.status, error.type]).toEqual([400, 'invalid_request_error'])
  })

  it('[C19] refuses a top-level marker besides four others', async () => {
    const { client } = await simulate({ models: [tiny] })
    const marks = { 1: '5m', 2: '5m', 3: '5m', 4: '5m' } as const
    const error = await rejection(client.messages.create(request(blocks(5, marks), mark())))
    expect([error.status, error.apiMessage]).toEqual([400, FOUND_5])
  })

  it('[C20] takes four markers and refuses five', async () => {
    const { client } = await simulate({ models: [tiny] })
    const body = (marks: Parameters<typeof blocks>[1]) =>
      request(blocks(3, marks), { tools: [tool('look', '5m')], system: [text('Look.', '5m')] })
    await client.messages.create(body({ 2: '5m', 3: '5m' }))
    const error = await rejection(client.messages.create(body({ 1: '5m', 2: '5m', 3: '5m' })))
    expect([error.status, error.apiMessage]).toEqual([400, FOUND_5])
  })

  it('[C20] counts a marker inside a tool result', async () => {
    const { client } = await simulate({ models: [tiny] })
    const use = { type: 'tool_use' as const, id: 'toolu_1', name: 'look', input: {} }
    const seen = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: [text('seen', '5m')] }
    const messages = [
      user(text('look')),
      assistant(use),
      user(seen, ...blocks(4, { 1: '5m', 2: '5m', 3: '5m', 4: '5m' })),
    ]
    const error = await rejection(client.messages.create(request([], { tools: [tool('look')], messages })))
    expect([error.status, error.apiMessage]).toEqual([400, FOUND_5])
  })

  it('[C21] refuses a one-hour marker behind a five-minute one', async () => {
    const { client } = await simulate({ models: [tiny] })
    await client.messages.create(request(blocks(2, { 1: '1h', 2: '5m' })))
    const error = await rejection(client.messages.create(request(blocks(2, { 1: '5m', 2: '1h' }))))
    expect(error.status).toBe(400)
    expect(error.apiMessage).toContain(
      "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.",
    )
  })

  it('[C21] goes by the order of the prompt: tools, system, messages', async () => {
    const { client } = await simulate({ models: [tiny] })
    const body = request([text('hi')], { system: [text('Look.', '1h')], tools: [tool('look', '5m')] })
    const error = await rejection(client.messages.create(body))
    expect(error.status).toBe(400)
    expect(error.apiMessage).toContain("system.0.cache_control.ttl: a ttl='1h' cache_control block must not come after")
  })

  it('[C22] refuses a marker on empty text', async () => {
    const { client } = await simulate({ models: [tiny] })
    const error = await rejection(client.messages.create(request([text('hi')], { system: [text('', '5m')] })))
    expect([error.status, error.apiMessage]).toEqual([
      400,
      'system.0: cache_control cannot be set for empty text blocks',
    ])
  })

  it('[C22] refuses a marker on thinking', async () => {
    const { simulator } = await simulate({ models: [tiny] })
    const thinking = { type: 'thinking', thinking: '', signature: 'x', ...mark() }
    const messages = [user(text('hi')), { role: 'assistant', content: [thinking, text('ok')] }, user(text('go on'))]
    const { status, body } = await send(simulator, { ...request([]), messages })
    expect([status, body.error?.message]).toEqual([
      400,
      'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
    ])
  })
})

describe('Markers between the runs of one request', () => {
  const tools: Anthropic.ToolUnion[] = [
    { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
    { ...tool('weather'), defer_loading: true },
  ]
  const search = { type: 'server_tool_use', name: 'tool_search_tool_regex', input: { pattern: 'weather' } }

  /** A model that searches for a tool once it is told to. */
  const searching = () =>
    scripted(({ messages }) => {
      const last = messages.at(-1)
      return last?.role === 'user' && JSON.stringify(last.content).includes('search') ? search : 'ok'
    })

  const asked = (ttl?: '5m'): Request =>
    request([], { tools, messages: [user(text('hello', ttl)), assistant(text('ok')), user(text('search'))] })

  /** The tokens of a request together with blocks of the answer to it. */
  async function withAnswer(client: Anthropic, body: Request, answer: Anthropic.ContentBlockParam[]): Promise<number> {
    const tail = user(text('x'))
    const all = await count(client, { ...body, messages: [...body.messages, assistant(...answer), tail] })
    return all - (await count(client, { ...request([]), messages: [tail] }))
  }

  it('[C24] marks server tool results for five minutes and adds up the reads of all runs', async () => {
    const { client, simulator } = await simulate({ models: [tiny], model: searching() })
    const hello = request([text('hello', '5m')], { tools })
    const first = await count(client, hello)
    await bill(client, hello)
    const { usage, content } = await client.messages.create(asked('5m'))
    expect(content.map((block) => block.type)).toEqual(['server_tool_use', 'tool_search_tool_result', 'text'])
    const found = await withAnswer(client, asked(), content.slice(0, 2) as Anthropic.ContentBlockParam[])
    const total = await count(client, asked())
    expect(splitOf(usage)).toEqual(split({ read: 2 * first, write5m: found - first, input: total - first }))

    const next: Request = {
      ...asked(),
      messages: [
        ...asked().messages,
        assistant(...(content as Anthropic.ContentBlockParam[])),
        user(text('go on', '5m')),
      ],
    }
    const after = await count(client, next)
    simulator.clock.advance(5 * 60_000 - 1)
    expect(await bill(client, next)).toEqual(split({ read: found, write5m: after - found }))
  })

  it('[C24] reads in the second run what the first one wrote', async () => {
    const { client } = await simulate({ models: [tiny], model: searching() })
    const { usage, content } = await client.messages.create(asked('5m'))
    const marked = await count(client, request([text('hello', '5m')], { tools }))
    const total = await count(client, asked())
    const found = await withAnswer(client, asked(), content.slice(0, 2) as Anthropic.ContentBlockParam[])
    expect(splitOf(usage)).toEqual(split({ read: marked, write5m: found, input: total - marked }))
  })

  it('[C24] lets the mark on a server tool result last for five minutes, even beside one-hour markers', async () => {
    const { client, simulator } = await simulate({ models: [tiny], model: searching() })
    const body = request([text('search', '1h')], { tools })
    const { content, usage } = await client.messages.create(body)
    expect(usage.cache_creation?.ephemeral_5m_input_tokens).toBeGreaterThan(0)
    simulator.clock.advance(5 * 60_000)
    const messages = [
      ...body.messages,
      assistant(...(content as Anthropic.ContentBlockParam[])),
      user(text('go on', '5m')),
    ]
    expect((await bill(client, { ...body, messages })).read).toBe(await count(client, body))
  })

  it('[C24] marks nothing where the request has no marker', async () => {
    const { client } = await simulate({ models: [tiny], model: searching() })
    const { usage, content } = await client.messages.create(asked())
    const found = await withAnswer(client, asked(), content.slice(0, 2) as Anthropic.ContentBlockParam[])
    expect(splitOf(usage)).toEqual(split({ input: (await count(client, asked())) + found }))
  })
})
