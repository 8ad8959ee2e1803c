import { describe, expect, it } from 'vitest'
import { type ReplyBlock, type Simulator, scripted } from '../../src/index.js'
import { assistant, blocks, count, type Request, request, text, tiny, tool, user } from '../support/prompt-cache.js'
import { rejection, simulate } from '../support/simulate.js'

interface Sent {
  readonly event: string
  readonly data: { readonly type: string; readonly [field: string]: unknown }
}

/** The bytes of a streamed answer, and the events in them. */
async function stream(simulator: Simulator, body: object, beta = '') {
  const response = await fetch(`${simulator.url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2026-10-21',
      authorization: 'Bearer key',
      ...(beta && { 'anthropic-beta': beta }),
    },
    body: JSON.stringify({ ...body, stream: true }),
  })
  const raw = await response.text()
  const events = raw
    .split('\n\n')
    .filter(Boolean)
    .map((chunk): Sent => {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(chunk) ?? []
      return { event: event ?? '', data: JSON.parse(data ?? '{}') }
    })
  return { response, raw, events }
}

/** What follows the start of the only block, without the block's own start and stop. */
const deltasIn = (events: readonly Sent[]) =>
  events.filter(({ event }) => event === 'content_block_delta').map(({ data }) => data.delta as Record<string, string>)
const startsIn = (events: readonly Sent[]) =>
  events.filter(({ event }) => event === 'content_block_start').map(({ data }) => data.content_block)
const namesOf = (events: readonly Sent[]) => events.map(({ event }) => event)

const saying = (...reply: ReplyBlock[]) => simulate({ models: [tiny], model: scripted(() => reply) })

const hello = request([text('hello')], { max_tokens: 1_000 })
const withTools: Request = { ...hello, tools: [tool('look')] }
const shown: Request = { ...hello, thinking: { type: 'adaptive', display: 'summarized' } }
const call = (input: Record<string, string>) => ({ type: 'tool_use' as const, name: 'look', input })

describe('Streams', () => {
  it('[S1] sends named events in order and ends after message_stop', async () => {
    const { simulator } = await saying('first', 'second')
    const { response, raw, events } = await stream(simulator, hello)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(namesOf(events).filter((name) => name !== 'ping')).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(events.map(({ data }) => data.type)).toEqual(namesOf(events))
    expect(raw.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true)
    expect(raw).not.toContain('[DONE]')
  })

  it('[S1] numbers the blocks and opens each before its deltas', async () => {
    const { simulator } = await saying('first', 'second')
    const { events } = await stream(simulator, hello)
    expect(events.flatMap(({ data }) => ('index' in data ? [data.index] : []))).toEqual([0, 0, 0, 1, 1, 1])
    expect(startsIn(events)).toEqual([
      { type: 'text', text: '', citations: null },
      { type: 'text', text: '', citations: null },
    ])
    expect(deltasIn(events)).toEqual([
      { type: 'text_delta', text: 'first' },
      { type: 'text_delta', text: 'second' },
    ])
  })

  it('[S1] becomes the same message as without a stream', async () => {
    const long = 'A long answer with 👩‍🚀 in it. '.repeat(20)
    const { client } = await saying({ type: 'thinking', thinking: 'hm' }, long, call({ path: '/a' }))
    const body = { ...withTools, thinking: shown.thinking ?? { type: 'adaptive' as const } }
    const whole = await client.messages.create(body)
    const streamed = await client.messages.stream(body).finalMessage()
    expect(streamed.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use'])
    const content = [...whole.content.slice(0, 2), { ...whole.content[2], id: expect.any(String) }]
    expect(streamed).toMatchObject({ ...whole, id: expect.any(String), content })
  })

  it('[S2] opens with the final input counts', async () => {
    const { client, simulator } = await simulate({ models: [tiny] })
    const at = (size: number) => count(client, request(blocks(size)))
    const [one, two, three] = [await at(1), await at(2), await at(3)]
    await client.messages.create(request(blocks(1, { 1: '1h' })))
    const { events } = await stream(simulator, request(blocks(3, { 1: '1h', 2: '5m' })))
    expect(events[0]?.data.message).toMatchObject({
      content: [],
      stop_reason: null,
      usage: {
        input_tokens: three - two,
        cache_read_input_tokens: one,
        cache_creation_input_tokens: two - one,
        cache_creation: { ephemeral_5m_input_tokens: two - one, ephemeral_1h_input_tokens: 0 },
      },
    })
  })

  it('[S2] opens with no more thinking than output', async () => {
    const { simulator } = await saying({ type: 'thinking', thinking: 'a long thought about it all' }, 'ok')
    const { events } = await stream(simulator, hello)
    expect(events[0]?.data.message).toMatchObject({
      usage: { output_tokens: 1, output_tokens_details: { thinking_tokens: 0 } },
    })
  })

  it('[S2] ends with the cumulative usage and with stop_details', async () => {
    const { client, simulator } = await saying({ type: 'thinking', thinking: 'a thought' }, 'An answer of some words.')
    const whole = await client.messages.create(hello)
    const { events } = await stream(simulator, hello)
    expect(whole.usage.output_tokens).toBeGreaterThan(5)
    expect(events.find(({ event }) => event === 'message_delta')?.data).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null, container: null },
      usage: {
        input_tokens: whole.usage.input_tokens,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: whole.usage.output_tokens,
        output_tokens_details: whole.usage.output_tokens_details,
        server_tool_use: null,
      },
    })
  })

  it('[S2] gives the details of a refusal', async () => {
    const details = { type: 'refusal', category: 'cyber', explanation: null }
    const model = scripted(() => ({ content: ['No.'], stop: 'refusal' as const, details }))
    const { client, simulator } = await simulate({ models: [tiny], model })
    const { events } = await stream(simulator, hello)
    expect(events.at(-2)?.data.delta).toMatchObject({ stop_reason: 'refusal', stop_details: details })
    expect((await client.messages.create(hello)).stop_details).toEqual(details)
  })

  it("[S3] sends a call's input as pieces of JSON after an empty one", async () => {
    const input = { path: `/${'long/'.repeat(30)}`, text: 'ein "Wort" ✓' }
    const { simulator, client } = await saying(call(input))
    const { events } = await stream(simulator, withTools)
    expect(startsIn(events)).toMatchObject([{ type: 'tool_use', name: 'look', input: {} }])
    const deltas = deltasIn(events)
    expect(new Set(deltas.map(({ type }) => type))).toEqual(new Set(['input_json_delta']))
    const pieces = deltas.map(({ partial_json }) => partial_json)
    expect(pieces[0]).toBe('')
    expect(pieces.length).toBeGreaterThan(2)
    expect(JSON.parse(pieces.join(''))).toEqual(input)
    const { content } = await client.messages.stream(withTools).finalMessage()
    expect(content).toMatchObject([{ type: 'tool_use', input }])
  })

  it('[S3] gives an empty input as an empty object', async () => {
    const { client, simulator } = await saying(call({}))
    const { content } = await client.messages.stream(withTools).finalMessage()
    expect(content).toMatchObject([{ type: 'tool_use', input: {} }])
    const { events } = await stream(simulator, withTools)
    expect(startsIn(events)).toMatchObject([{ input: {} }])
    const json = deltasIn(events).map(({ partial_json }) => partial_json)
    expect(JSON.parse(json.join('') || '{}')).toEqual({})
  })

  it('[S4] sends a signature as one delta right before its block stops', async () => {
    const thought = 'A thought that takes more than one delta to be told. '.repeat(3)
    const { simulator, client } = await saying({ type: 'thinking', thinking: thought }, 'ok')
    const { events } = await stream(simulator, shown)
    expect(startsIn(events)[0]).toEqual({ type: 'thinking', thinking: '', signature: '' })
    const first = events.filter(({ data }) => data.index === 0).map(({ data }) => data)
    const types = first.map(({ delta, type }) => (delta as { type: string } | undefined)?.type ?? type)
    expect(types.filter((type) => type === 'signature_delta')).toHaveLength(1)
    expect(types.slice(-2)).toEqual(['signature_delta', 'content_block_stop'])
    const told = deltasIn(events).filter(({ type }) => type === 'thinking_delta')
    expect(told.length).toBeGreaterThan(1)
    expect(told.map(({ thinking }) => thinking).join('')).toBe(thought)

    const { content } = await client.messages.stream(shown).finalMessage()
    const next = { ...shown, messages: [...hello.messages, assistant(...content), user(text('go on'))] }
    expect((await client.messages.create(next)).stop_reason).toBe('end_turn')
  })

  it('[S4] sends the signature alone where thinking is not shown', async () => {
    const { simulator } = await saying({ type: 'thinking', thinking: 'a thought' })
    const { events } = await stream(simulator, hello)
    expect(deltasIn(events).map(({ type }) => type)).toEqual(['signature_delta'])
    expect(deltasIn(events)[0]?.signature).not.toBe('')
  })

  it('[S5] sends redacted thinking whole', async () => {
    const { simulator } = await saying({ type: 'thinking', thinking: 'a thought', redacted: true })
    const { events } = await stream(simulator, hello)
    expect(startsIn(events)).toEqual([{ type: 'redacted_thinking', data: expect.stringMatching(/.{20}/) }])
    expect(deltasIn(events)).toEqual([])
  })

  it("[S5] sends a server tool's result whole, between the call and the text", async () => {
    const search = { type: 'server_tool_use', name: 'tool_search_tool_regex', input: { pattern: 'look' } }
    const model = scripted(({ messages }) => (messages.length === 1 ? search : 'found'))
    const { simulator } = await simulate({ models: [tiny], model })
    const tools = [
      { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
      { ...tool('look'), defer_loading: true },
    ]
    const { events } = await stream(simulator, { ...hello, tools })
    expect(startsIn(events)).toMatchObject([
      { type: 'server_tool_use', input: {} },
      {
        type: 'tool_search_tool_result',
        content: { tool_references: [{ type: 'tool_reference', tool_name: 'look' }] },
      },
      { type: 'text', text: '' },
    ])
    const ofResult = events.filter(({ data }) => data.index === 1)
    expect(namesOf(ofResult)).toEqual(['content_block_start', 'content_block_stop'])
  })

  it('[S5] sends a summary on demand whole', async () => {
    const { simulator } = await saying('the summary')
    const body = { ...hello, compaction: { type: 'summarize' } }
    const { events } = await stream(simulator, body, 'compact-2026-09-04')
    expect(startsIn(events)).toMatchObject([{ type: 'compaction', content: 'the summary' }])
    expect(deltasIn(events)).toEqual([])
  })

  it('[S5] sends a summary by threshold as one delta', async () => {
    const model = scripted(({ purpose }) => (purpose === 'compaction' ? 'the summary '.repeat(20).trim() : 'ok'))
    const { simulator } = await simulate({ models: [tiny], model })
    const edit = {
      type: 'compact_20260112',
      trigger: { type: 'input_tokens', value: 50_000 },
      pause_after_compaction: true,
    }
    const body = {
      ...request([text('word '.repeat(60_000))]),
      max_tokens: 1_000,
      context_management: { edits: [edit] },
    }
    const { events } = await stream(simulator, body, 'compact-2026-01-12')
    expect(startsIn(events)).toMatchObject([{ type: 'compaction', content: null }])
    expect(deltasIn(events)).toMatchObject([{ type: 'compaction_delta', content: 'the summary '.repeat(20).trim() }])
  })

  it('[S6] sends an error after the first byte as an event with the usual body', async () => {
    const { simulator } = await saying('an answer')
    simulator.faults.add({ kind: 'stream-error', amount: 3 })
    const { response, events } = await stream(simulator, hello)
    expect(response.status).toBe(200)
    expect(namesOf(events)).toEqual(['message_start', 'ping', 'content_block_start', 'error'])
    expect(events.at(-1)?.data).toMatchObject({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
      request_id: response.headers.get('request-id'),
    })
  })

  it('[S6] becomes an error of the SDK without a status', async () => {
    const { simulator, client } = await saying('an answer')
    simulator.faults.add({ kind: 'stream-error', amount: 3 })
    const error = await rejection(client.messages.stream(hello).finalMessage())
    expect([error.status, error.type, error.apiMessage]).toEqual([undefined, 'overloaded_error', 'Overloaded'])
  })
})

describe('Responses', () => {
  const usage = {
    input_tokens: expect.any(Number),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: expect.any(Number),
    output_tokens_details: { thinking_tokens: 0 },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: 'global',
    speed: 'standard',
  }
  const message = {
    id: expect.stringMatching(/^msg_01/),
    type: 'message',
    role: 'assistant',
    model: 'tiny',
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage,
  }

  it('[S7] have every field of the type and no other', async () => {
    const { client } = await saying('Look.', call({ path: '/a' }))
    expect(await client.messages.create(withTools)).toEqual({
      ...message,
      content: [
        { type: 'text', text: 'Look.', citations: null },
        {
          type: 'tool_use',
          id: expect.stringMatching(/^toolu_01/),
          name: 'look',
          input: { path: '/a' },
          caller: { type: 'direct' },
        },
      ],
      stop_reason: 'tool_use',
    })
  })

  it("[S7] say of a server tool's call who made it", async () => {
    const search = { type: 'server_tool_use', name: 'web_search', input: {} }
    const { client } = await saying(search, 'Look.')
    expect((await client.messages.create(withTools)).content[0]).toEqual({
      ...search,
      id: expect.stringMatching(/^srvtoolu_01/),
      caller: { type: 'direct' },
    })
  })

  it('[S7] have every field of the type in message_start, too', async () => {
    const { simulator } = await saying('Look.', call({ path: '/a' }))
    const { events } = await stream(simulator, withTools)
    expect(events[0]?.data.message).toEqual({ ...message, content: [], stop_reason: null })
    expect(startsIn(events)).toMatchObject([{ citations: null }, { caller: { type: 'direct' } }])
  })

  it('[S8] end where the window does', async () => {
    const prompt = await count((await simulate({ models: [tiny] })).client, hello)
    const model = scripted(() => 'word '.repeat(100))
    const { client } = await simulate({ models: [{ ...tiny, window: prompt + 20 }], model })
    const message = await client.messages.create({ ...hello, max_tokens: 50 })
    expect(message.stop_reason).toBe('model_context_window_exceeded')
    expect(message.usage.output_tokens).toBeGreaterThan(10)
    expect(message.usage.output_tokens).toBeLessThanOrEqual(20)
    expect((await client.messages.create({ ...hello, max_tokens: 19 })).stop_reason).toBe('max_tokens')
  })

  it('[S8] are refused by earlier models where input and output pass the window', async () => {
    const prompt = await count((await simulate({ models: [tiny] })).client, hello)
    const { client } = await simulate({ models: [{ ...tiny, window: prompt + 20, overflow: 'refuse' }] })
    const error = await rejection(client.messages.create({ ...hello, max_tokens: 21 }))
    expect([error.status, error.apiMessage]).toEqual([
      400,
      `input length and \`max_tokens\` exceed context limit: ${prompt} + 21 > ${prompt + 20}, decrease input length or \`max_tokens\` and try again`,
    ])
    expect((await client.messages.create({ ...hello, max_tokens: 20 })).stop_reason).toBe('end_turn')
  })
})
