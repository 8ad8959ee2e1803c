import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it, vi } from 'vitest'
import {
  assistant,
  bill,
  blocks,
  count,
  headTokens,
  mark,
  type Request,
  request,
  text,
  tiny,
  tool,
  user,
} from '../support/prompt-cache.js'
import { simulate, words } from '../support/simulate.js'

/** Dollars for a million tokens: input, output, five-minute write, one-hour write, read. */
type Prices = readonly [number, number, number, number, number]

function cost({ usage }: Anthropic.Message, [input, output, write5m, write1h, read]: Prices): number {
  const dollars =
    usage.input_tokens * input +
    usage.output_tokens * output +
    (usage.cache_creation?.ephemeral_5m_input_tokens ?? 0) * write5m +
    (usage.cache_creation?.ephemeral_1h_input_tokens ?? 0) * write1h +
    (usage.cache_read_input_tokens ?? 0) * read
  return dollars / 1_000_000
}

describe('What requests cost', () => {
  it.each<[string, ...Prices]>([
    ['claude-fable-5-1', 10, 50, 12.5, 20, 0.25],
    ['claude-mythos-5-1', 10, 50, 12.5, 20, 0.25],
    ['claude-opus-5-5', 4, 20, 5, 8, 0.2],
    ['claude-sonnet-5-5', 2, 10, 2.5, 4, 0.1],
    ['claude-haiku-5-5', 0.1, 0.5, 0.125, 0.2, 0.01],
    ['claude-fable-5', 10, 50, 12.5, 20, 1],
    ['claude-mythos-5', 10, 50, 12.5, 20, 1],
    ['claude-opus-5', 5, 25, 6.25, 10, 0.5],
    ['claude-opus-4-8', 5, 25, 6.25, 10, 0.5],
    ['claude-opus-4-7', 5, 25, 6.25, 10, 0.5],
    ['claude-opus-4-6', 5, 25, 6.25, 10, 0.5],
    ['claude-opus-4-5', 5, 25, 6.25, 10, 0.5],
    ['claude-sonnet-5', 2, 10, 2.5, 4, 0.2],
    ['claude-sonnet-4-6', 3, 15, 3.75, 6, 0.3],
    ['claude-sonnet-4-5', 3, 15, 3.75, 6, 0.3],
    ['claude-haiku-4-5', 1, 5, 1.25, 2, 0.1],
  ])('[C25] bills %s by the price table', async (model, ...prices) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const { client, exchanges } = await simulate()
    const part = (seed: string, ttl?: '5m' | '1h') => text(words(3_000, seed), ttl)
    await client.messages.create({ ...request([part('a', '1h')]), model })
    const message = await client.messages.create({
      ...request([part('a', '1h'), part('b', '1h'), part('c', '5m'), part('d')]),
      model,
    })
    const { cache_creation } = message.usage
    const kinds = [message.usage.cache_read_input_tokens, cache_creation?.ephemeral_1h_input_tokens]
    for (const tokens of [...kinds, cache_creation?.ephemeral_5m_input_tokens, message.usage.input_tokens]) {
      expect(tokens).toBeGreaterThan(1_000)
    }
    expect(exchanges[1]?.entry.dollars).toBeCloseTo(cost(message, prices), 12)
  })

  it('[C25] bills the whole of a long prompt to Haiku 5.5 at the higher price, however much of it is read', async () => {
    const { client, exchanges } = await simulate()
    const [half, rest] = [text(words(25_000, 'h'), '5m'), text(words(25_000, 'r'))]
    const model = 'claude-haiku-5-5'
    const short = await client.messages.create({ ...request([half]), model })
    const long = await client.messages.create({ ...request([half, rest]), model })
    expect(short.usage.cache_creation_input_tokens).toBeLessThanOrEqual(100_000)
    expect(long.usage.cache_read_input_tokens).toBe(short.usage.cache_creation_input_tokens)
    expect(long.usage.input_tokens).toBeLessThan(100_000)
    expect(long.usage.input_tokens + (long.usage.cache_read_input_tokens ?? 0)).toBeGreaterThan(100_000)
    expect(exchanges[0]?.entry.dollars).toBeCloseTo(cost(short, [0.1, 0.5, 0.125, 0.2, 0.01]), 12)
    expect(exchanges[1]?.entry.dollars).toBeCloseTo(cost(long, [0.5, 2.5, 0.625, 1, 0.05]), 12)
  })

  it('[C25] counts a prompt of exactly the limit to the lower price', async () => {
    const upTo = await count((await simulate({ models: [tiny] })).client, request(blocks(3)))
    const tier = (limit: number, price: number) => ({
      upTo: limit,
      input: price,
      output: price,
      read: price,
      write5m: price,
      write1h: price,
    })
    const prices = [tier(upTo, 1), tier(Number.POSITIVE_INFINITY, 7)]
    const { client, exchanges } = await simulate({ models: [{ ...tiny, prices }] })
    const at = await client.messages.create(request(blocks(3)))
    const above = await client.messages.create(request([...blocks(3), text('.')]))
    expect(exchanges[0]?.entry.dollars).toBeCloseTo(cost(at, [1, 1, 1, 1, 1]), 12)
    expect(exchanges[1]?.entry.dollars).toBeCloseTo(cost(above, [7, 7, 7, 7, 7]), 12)
  })
})

describe('Diagnostics of the prompt cache', () => {
  const base = request([text('first'), text('second', '5m')], {
    tools: [tool('find'), tool('look')],
    system: [text('Be kind.'), text('Be brief.')],
  })
  const asking = (body: Request, previous: string | null): Request => ({
    ...body,
    diagnostics: { previous_message_id: previous },
  })

  /** What the second of two requests is told about the first, and a client to count with. */
  async function diagnose(after: Request, headers: Record<string, string> = {}) {
    const { client } = await simulate({ models: [tiny, { ...tiny, id: 'twin' }] })
    const { id, diagnostics } = await client.messages.create(asking(base, null))
    expect(diagnostics).toBeNull()
    const second = await client.messages.create(asking(after, id), { headers })
    return { client, told: second.diagnostics, total: await count(client, base) }
  }

  it('[C26] says nothing where nothing was lost', async () => {
    const messages = [...base.messages, assistant(text('ok')), user(text('go on', '5m'))]
    expect((await diagnose({ ...base, messages })).told).toBeNull()
    expect((await diagnose(base)).told).toBeNull()
  })

  it('[C26] says nothing to a request that does not ask', async () => {
    const { client } = await simulate({ models: [tiny] })
    await client.messages.create(asking(base, null))
    expect((await client.messages.create({ ...base, system: 'Other.' })).diagnostics).toBeNull()
  })

  it('[C26] names a change of model', async () => {
    const { told, total } = await diagnose({ ...base, model: 'twin', system: 'Other.' })
    expect(told).toEqual({ cache_miss_reason: { type: 'model_changed', cache_missed_input_tokens: total } })
  })

  it('[C26] names a change of speed as one of the model', async () => {
    const { told } = await diagnose({ ...base, speed: 'fast' }, { 'anthropic-beta': 'fast-mode-2026-02-01' })
    expect(told?.cache_miss_reason?.type).toBe('model_changed')
  })

  it('[C26] names a change of tools, and the tokens from the first other tool on', async () => {
    const tools = [tool('find'), tool('see')]
    const { told, total, client } = await diagnose({ ...base, tools, system: 'Other.' })
    const kept = await headTokens(client, request([], { tools: [tool('find')] }))
    expect(told).toEqual({ cache_miss_reason: { type: 'tools_changed', cache_missed_input_tokens: total - kept } })
  })

  it('[C26] names web search as a change of tools, and the tokens behind the other tools', async () => {
    const tools: Anthropic.ToolUnion[] = [
      tool('find'),
      tool('look'),
      { type: 'web_search_20250305', name: 'web_search' },
    ]
    const { told, total, client } = await diagnose({ ...base, tools })
    const kept = await headTokens(client, { ...base, system: [] })
    expect(told).toEqual({ cache_miss_reason: { type: 'tools_changed', cache_missed_input_tokens: total - kept } })
  })

  it('[C26] names a change of the system prompt, and the tokens from there on', async () => {
    const system = [text('Be kind.'), text('Be quick.')]
    const { told, total, client } = await diagnose({ ...base, system, messages: [user(text('other', '5m'))] })
    const kept = await headTokens(client, { ...base, system: [text('Be kind.')] })
    expect(told).toEqual({ cache_miss_reason: { type: 'system_changed', cache_missed_input_tokens: total - kept } })
  })

  it('[C26] names a change of the messages, and the tokens from there on', async () => {
    const { told, total, client } = await diagnose({ ...base, messages: [user(text('first'), text('other', '5m'))] })
    const kept = await count(client, { ...base, messages: [user(text('first'))] })
    expect(told).toEqual({ cache_miss_reason: { type: 'messages_changed', cache_missed_input_tokens: total - kept } })
  })

  it('[C26] names all messages as lost to a first image', async () => {
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'AA' },
    }
    const messages = [user(text('first'), text('second'), { ...image, ...mark() })]
    const { told, total, client } = await diagnose({ ...base, messages })
    const kept = await headTokens(client, base)
    expect(told).toEqual({ cache_miss_reason: { type: 'messages_changed', cache_missed_input_tokens: total - kept } })
  })

  it.each<[string, Partial<Request>]>([
    ['tool_choice', { tool_choice: { type: 'any' } }],
    ['thinking', { thinking: { type: 'disabled' } }],
    ['output_config', { output_config: { effort: 'low' } }],
  ])('[C26] has no diagnosis where %s differs', async (_name, change) => {
    const { told } = await diagnose({ ...base, ...change })
    expect(told).toEqual({ cache_miss_reason: { type: 'unavailable' } })
  })

  it('[C26] names tools before settings that have no diagnosis', async () => {
    const { told } = await diagnose({ ...base, tools: [tool('see')], thinking: { type: 'disabled' } })
    expect(told?.cache_miss_reason?.type).toBe('tools_changed')
  })

  it('[C26] does not know messages that were never sent, nor those of another workspace', async () => {
    const { client } = await simulate({ models: [tiny] })
    const unknown = { cache_miss_reason: { type: 'previous_message_not_found' } }
    expect((await client.messages.create(asking(base, 'msg_01Unknown'))).diagnostics).toEqual(unknown)
    const { id } = await client.messages.create(asking(base, null))
    const headers = { 'anthropic-workspace-id': 'wrkspc_01Other' }
    expect((await client.messages.create(asking(base, id), { headers })).diagnostics).toEqual(unknown)
  })

  it('[C26] comes in message_start of a stream', async () => {
    const { client } = await simulate({ models: [tiny] })
    const { id } = await client.messages.create(asking(base, null))
    const stream = await client.messages.create({ ...asking({ ...base, system: 'Other.' }, id), stream: true })
    const told: unknown[] = []
    for await (const event of stream) {
      if (event.type === 'message_start') told.push(event.message.diagnostics?.cache_miss_reason?.type)
    }
    expect(told).toEqual(['system_changed'])
  })

  it('[C26] leaves the cache as it is', async () => {
    const { client } = await simulate({ models: [tiny] })
    const total = await count(client, base)
    const { id } = await client.messages.create(asking(base, null))
    expect((await bill(client, asking(base, id))).read).toBe(total)
  })
})
