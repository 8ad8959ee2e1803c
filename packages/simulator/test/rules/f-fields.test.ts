import { describe, expect, it } from 'vitest'
import { scripted } from '../../src/index.js'
import {
  ask,
  askBeta,
  assistant,
  call,
  count,
  inputOf,
  MARKED,
  refusal,
  result,
  text,
  tool,
  user,
  watchedModel,
} from '../support/requests.js'
import { rejection, send, simulate, words } from '../support/simulate.js'

const OLD_VERSION = { headers: { 'anthropic-version': '2023-06-01' } }
const ON_DEMAND = 'compact-2026-09-04'
const FORMAT = { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }
const only = (block: unknown) => ({ messages: [user([block])] })
const answered = (content: unknown) => ({
  messages: [user('hi'), assistant([call('toolu_1')]), user([{ ...result('toolu_1'), content }])],
})

describe('Fields of the body', () => {
  it.each(['{"model":', 'hello', ''])('[F1] refuses the body %j, which is not JSON', async (body) => {
    const { simulator } = await simulate()
    const refused = await send(simulator, body)
    expect(refused.status).toBe(400)
    expect(refused.body.error?.type).toBe('invalid_request_error')
    expect((await send(simulator, JSON.stringify(ask()))).status).toBe(200)
  })

  it.each([
    ['model', { model: undefined }],
    ['max_tokens', { max_tokens: undefined }],
    ['messages', { messages: undefined }],
    ['messages.0.role', { messages: [{ content: 'hi' }] }],
    ['messages.0.content', { messages: [{ role: 'user' }] }],
    ['messages.0.content.0.text.text', only({ type: 'text' })],
    ['messages.0.content.0.image.source', only({ type: 'image' })],
    [
      'messages.1.content.0.tool_use.id',
      { messages: [user('hi'), assistant([{ ...call('toolu_1'), id: undefined }])] },
    ],
    ['messages.0.content.0.tool_result.tool_use_id', only({ type: 'tool_result' })],
    ['tools.0.custom.input_schema', { tools: [{ name: 'look' }] }],
    ['tool_choice.tool.name', { tools: [tool('look')], tool_choice: { type: 'tool' } }],
  ])('[F2] misses the field %s', async (path, changes) => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask(changes)))).toBe(`${path}: Field required`)
  })

  it.each([
    ['pearl', { pearl: 1 }],
    ['metadata.pearl', { metadata: { pearl: 1 } }],
    ['output_config.pearl', { output_config: { pearl: 1 } }],
    ['messages.0.pearl', { messages: [{ ...user('hi'), pearl: 1 }] }],
    ['tools.0.custom.pearl', { tools: [tool('look', { pearl: 1 })] }],
    ['thinking.adaptive.pearl', { thinking: { type: 'adaptive', pearl: 1 } }],
  ])('[F3] does not permit the unknown field %s', async (path, changes) => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask(changes)))).toBe(`${path}: Extra inputs are not permitted`)
  })

  it.each([
    ['messages.0.content.0.text.pearl', only(text('hi', { pearl: 1 }))],
    [
      'messages.2.content.0.tool_result.pearl',
      { messages: answered('ok').messages.with(2, user([{ ...result('toolu_1'), pearl: 1 }])) },
    ],
    ['messages.2.content.0.tool_result.content.0.text.pearl', answered([text('ok', { pearl: 1 })])],
    [
      'messages.1.content.0.tool_use.pearl',
      { messages: answered('ok').messages.with(1, assistant([{ ...call('toolu_1'), pearl: 1 }])) },
    ],
    [
      'messages.1.content.0.thinking.cache_control',
      {
        messages: [user('hi'), assistant([{ type: 'thinking', thinking: '', signature: 'x', ...MARKED }]), user('hi')],
      },
    ],
  ])('[F3] names the type of the block in %s', async (path, changes) => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask(changes)))).toBe(`${path}: Extra inputs are not permitted`)
    await client.messages.create(ask(answered([text('ok')])))
  })

  it('[F3] does not permit an unknown field in a summary', async () => {
    const { client } = await simulate()
    const messages = [
      assistant([{ type: 'compaction', content: 'so far', signature: 'x', citations: null }]),
      user('hi'),
    ]
    expect(await refusal(client.beta.messages.create(askBeta([ON_DEMAND], { messages })))).toBe(
      'messages.0.content.0.compaction.citations: Extra inputs are not permitted',
    )
  })

  it.each([
    ['max_tokens: Input should be a valid integer', { max_tokens: 'many' }],
    ['max_tokens: Input should be greater than or equal to 0', { max_tokens: -1 }],
    ['stream: Input should be a valid boolean', { stream: 'yes' }],
    ['model: Input should be a valid string', { model: 5 }],
    ['messages: Input should be a valid list', { messages: 'hi' }],
    [
      "messages.0.role: Input should be 'user', 'assistant' or 'system'",
      { messages: [{ role: 'tool', content: 'hi' }] },
    ],
    ['messages.0.content.0.text.text: Input should be a valid string', only({ type: 'text', text: 5 })],
    ["cache_control.ttl: Input should be '5m' or '1h'", { cache_control: { type: 'ephemeral', ttl: '2h' } }],
    ["service_tier: Input should be 'auto' or 'standard_only'", { service_tier: 'best' }],
    ["speed: Input should be 'standard' or 'fast'", { speed: 'slow' }],
    [
      "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
      { output_config: { effort: 'huge' } },
    ],
    ['stop_sequences.1: Input should be a valid string', { stop_sequences: ['a', 1] }],
    [
      "tools.0.custom.input_schema.type: Input should be 'object'",
      { tools: [{ name: 'look', input_schema: { type: 'string' } }] },
    ],
  ])('[F4] answers "%s"', async (message, changes) => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask(changes)))).toBe(message)
  })

  it('[F4] names a block of an unknown type', async () => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask(only({ type: 'video' }))))).toMatch(
      /^messages\.0\.content\.0: Input tag 'video' found using 'type'/,
    )
  })

  it('[F4] takes the same fields with values among their choices', async () => {
    const { client } = await simulate()
    const cache_control = { type: 'ephemeral', ttl: '1h' }
    const rest = { service_tier: 'auto', speed: 'standard', output_config: { effort: 'max' }, stop_sequences: ['a'] }
    await client.messages.create(ask({ cache_control, ...rest, metadata: { user_id: 'me' }, tools: [tool('look')] }))
  })

  it.each([
    ['temperature', 1],
    ['temperature', 0.5],
    ['temperature', null],
    ['top_p', 0.9],
    ['top_k', 5],
  ])('[F5] refuses %s: %s under the current version and takes it under the old one', async (field, value) => {
    const { client } = await simulate()
    const request = ask({ [field]: value })
    expect(await refusal(client.messages.create(request))).toMatch(new RegExp(`^${field}: `))
    await client.messages.create(request, OLD_VERSION)
  })

  it.each([
    [
      'a document in an assistant message',
      [user('hi'), assistant([documentOf('page')]), user('hi')],
      /^messages\.1\.content\.0: .*document/,
    ],
    [
      'a user text with citations',
      [user([text('hi', { citations: [citation()] })])],
      /^messages\.0\.content\.0\.text\.citations: /,
    ],
  ])('[F6] refuses %s under the current version and takes it under the old one', async (_, messages, message) => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask({ messages })))).toMatch(message)
    await client.messages.create(ask({ messages }), OLD_VERSION)
  })

  it('[F6] takes documents from the user, and citations from the assistant or none', async () => {
    const { client } = await simulate()
    const asked = user([documentOf('page'), text('hi', { citations: [] })])
    const messages = [asked, assistant([text('yes', { citations: [citation()] })]), user('hi')]
    await client.messages.create(ask({ messages }))
  })

  it.each([
    ['context_management', { edits: [] }, 'context-management-2025-06-27'],
    ['thread', { type: 'create' }, 'message-threads-2026-08-12'],
  ])('[F7] does not know %s without its header', async (field, value, beta) => {
    const { client } = await simulate()
    const unknown = `${field}: Extra inputs are not permitted`
    expect(await refusal(client.messages.create(ask({ [field]: value })))).toBe(unknown)
    const withHeader = client.beta.messages.create(askBeta([beta], { [field]: value }))
    if (field === 'thread') expect((await rejection(withHeader)).errorCode).toBe('thread_unsupported_request')
    else await withHeader
  })

  it('[F7] names the header that compaction needs', async () => {
    const { client } = await simulate()
    const compaction = { compaction: { type: 'summarize' } }
    expect(await refusal(client.messages.create(ask(compaction)))).toContain(`requires anthropic-beta: ${ON_DEMAND}`)
    const summary = await client.beta.messages.create(askBeta([ON_DEMAND], compaction))
    expect(summary.stop_reason).toBe('compaction')
  })

  it.each([
    ['claude-haiku-4-5-20251001', 'claude-haiku-4-5-20251001', 64_000],
    ['claude-haiku-4-5', 'claude-haiku-4-5-20251001', 64_000],
    ['claude-opus-5-5', 'claude-opus-5-5', 128_000],
  ])('[F8] holds %s to its limit of output', async (model, id, limit) => {
    const { client } = await simulate()
    const ask1 = (max_tokens: number) => client.messages.create(ask({ model, max_tokens }), { timeout: 10_000 })
    await ask1(limit)
    const over = limit + 1
    expect(await refusal(ask1(over))).toBe(
      `max_tokens: ${over} > ${limit}, which is the maximum allowed number of output tokens for ${id}`,
    )
  })

  it('[F9] answers max_tokens: 0 without content, bills the input and fills the cache', async () => {
    const { client } = await simulate()
    const messages = [user([text(words(1000), MARKED)])]
    const warm = await client.messages.create(ask({ messages, max_tokens: 0 }))
    expect(warm).toMatchObject({ content: [], stop_reason: 'max_tokens', usage: { output_tokens: 0 } })
    const { input_tokens } = await client.messages.countTokens(count({ messages }))
    expect(inputOf(warm.usage)).toBe(input_tokens)
    expect(warm.usage.cache_creation_input_tokens).toBe(input_tokens)
    const next = await client.messages.create(ask({ messages }))
    expect(next.usage.cache_read_input_tokens).toBe(input_tokens)
  })

  it.each([
    ['stream', { stream: true }],
    ['thinking', { thinking: { type: 'enabled', budget_tokens: 1024 }, model: 'claude-sonnet-4-6' }],
    ['format', FORMAT],
    ['tool_choice', { tools: [tool('look')], tool_choice: { type: 'any' }, model: 'claude-opus-5' }],
    ['tool_choice', { tools: [tool('look')], tool_choice: { type: 'tool', name: 'look' }, model: 'claude-opus-5' }],
  ])('[F9] refuses max_tokens: 0 together with %s', async (name, changes) => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask({ ...changes, max_tokens: 0 })))).toMatch(
      new RegExp(`max_tokens: 0 .*${name}`),
    )
    await client.messages.create(ask({ ...changes, max_tokens: 2000 }))
  })

  it('[F9] takes max_tokens: 0 with a free choice, adaptive thinking and effort', async () => {
    const { client } = await simulate()
    const free = { tools: [tool('look')], tool_choice: { type: 'auto' }, thinking: { type: 'adaptive' } }
    await client.messages.create(ask({ ...free, output_config: { effort: 'low' }, max_tokens: 0 }))
  })

  it('[F10] reads a string as one text block, for the model, the count and the cache', async () => {
    const { model, turns } = watchedModel()
    const { client } = await simulate({ model })
    const long = words(1000)
    const short = {
      system: long,
      messages: [user('a'), assistant('b'), user('c')],
      cache_control: MARKED.cache_control,
    }
    const spelled = {
      system: [text(long)],
      messages: [user([text('a')]), assistant([text('b')]), user([text('c')])],
      cache_control: MARKED.cache_control,
    }
    const first = await client.messages.create(ask(short))
    const second = await client.messages.create(ask(spelled))
    expect(turns[0]?.messages).toEqual(spelled.messages.with(2, user([text('c', MARKED)])))
    expect(turns[1]?.messages).toEqual(turns[0]?.messages)
    expect(turns[0]?.system).toEqual([text(long)])
    expect(second.usage.cache_read_input_tokens).toBe(inputOf(first.usage))
  })

  it('[F10] reads a string in a result as text too', async () => {
    const { client } = await simulate()
    const asString = await client.messages.countTokens(count(answered('all is well')))
    const asBlock = await client.messages.countTokens(count(answered([text('all is well')])))
    expect(asString.input_tokens).toBe(asBlock.input_tokens)
  })

  it('[F11] stops before the first stop sequence and names it', async () => {
    const { client } = await simulate({ model: scripted(() => 'one two three four') })
    const stopped = await client.messages.create(ask({ stop_sequences: ['four', 'three'] }))
    expect(stopped).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'three',
      content: [{ text: 'one two ' }],
    })
    const whole = await client.messages.create(ask({ stop_sequences: ['five'] }))
    expect(whole).toMatchObject({
      stop_reason: 'end_turn',
      stop_sequence: null,
      content: [{ text: 'one two three four' }],
    })
    const streamed = await client.messages.stream(ask({ stop_sequences: ['two'] })).finalMessage()
    expect(streamed).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'two', content: [{ text: 'one ' }] })
  })
})

function documentOf(data: string) {
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data } }
}

function citation() {
  const place = { document_index: 0, document_title: null, start_char_index: 0, end_char_index: 4 }
  return { type: 'char_location', cited_text: 'page', ...place }
}
