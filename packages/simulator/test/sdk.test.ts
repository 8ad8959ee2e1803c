import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { MODELS, scripted } from '../src/index.js'
import { callOf, clock, hello, textOf } from './support/conversation.js'
import { rejection, simulate, words } from './support/simulate.js'

const COMPACTION = 'compact-2026-09-04'

const bodies = (exchanges: readonly { readonly body: string }[]) => exchanges.map(({ body }) => JSON.parse(body))

describe('messages of the SDK', () => {
  it('creates a message and tells the request id', async () => {
    const { client, exchanges } = await simulate({ model: scripted(['Good day']) })
    const { data, request_id, response } = await client.messages.create(hello).withResponse()
    expect(data.content).toEqual([{ type: 'text', text: 'Good day', citations: null }])
    expect(data.stop_reason).toBe('end_turn')
    expect(data.usage.input_tokens).toBeGreaterThan(0)
    expect(request_id).toBe(exchanges[0]?.entry.requestId)
    expect(response.headers.get('request-id')).toBe(request_id)
  })

  it('streams a message through every event of the helper', async () => {
    const reply = `${words(40)} end`
    const { client } = await simulate({ model: scripted([[reply, callOf('clock', { zone: 'UTC' })]]) })
    const stream = client.messages.stream({ ...hello, tools: [clock] })
    let text = ''
    const json: string[] = []
    const seen: string[] = []
    stream.on('connect', () => seen.push('connect'))
    stream.on('text', (delta) => {
      text += delta
    })
    stream.on('inputJson', (partial) => json.push(partial))
    stream.on('contentBlock', (block) => seen.push(block.type))
    stream.on('message', () => seen.push('message'))
    stream.on('end', () => seen.push('end'))
    const message = await stream.finalMessage()
    await stream.done()
    expect(text).toBe(reply)
    expect(json.join('')).toBe('{"zone":"UTC"}')
    expect(seen).toEqual(['connect', 'text', 'tool_use', 'message', 'end'])
    expect(message.content.map((block) => block.type)).toEqual(['text', 'tool_use'])
    expect(message.content[1]).toMatchObject({ name: 'clock', input: { zone: 'UTC' } })
    expect([message.stop_reason, message.stop_details]).toEqual(['tool_use', null])
  })

  it('gives the same message whether it is streamed or not', async () => {
    const { client } = await simulate({ model: scripted(() => ['Some text', callOf('clock', { zone: 'UTC' })]) })
    const request = { ...hello, tools: [clock] }
    const whole = await client.messages.create(request)
    const streamed = await client.messages.stream(request).finalMessage()
    // What differs from one request to the next, and what the SDK adds.
    const apart = { id: '', content: [], parsed_output: null }
    expect({ ...streamed, ...apart }).toEqual({ ...whole, ...apart })
    const shown = ({ content }: typeof whole) => content.map((block) => ({ ...block, id: '', parsed_output: null }))
    expect(shown(streamed)).toEqual(shown(whole))
  })

  it('ends a stream that the client aborts', async () => {
    const { client, simulator } = await simulate({
      model: scripted(() => words(2_000)),
      details: { pace: 1 },
    })
    const stream = client.messages.stream(hello)
    stream.once('text', () => stream.abort())
    expect(await rejection(stream.finalMessage())).toBeInstanceOf(Anthropic.APIUserAbortError)
    expect(stream.aborted).toBe(true)
    expect((await client.messages.create({ ...hello, max_tokens: 5 })).type).toBe('message')
    expect(simulator.ledger.totals().failed).toBe(0)
  })

  it('gives raw events in the order of the API', async () => {
    const { client } = await simulate()
    const types: string[] = []
    for await (const event of await client.messages.create({ ...hello, stream: true })) types.push(event.type)
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })

  it('parses an answer by a zod schema', async () => {
    const { client, exchanges } = await simulate({ model: scripted(['{"city":"Bern","people":134591}']) })
    const format = zodOutputFormat(z.object({ city: z.string(), people: z.number() }))
    const message = await client.messages.parse({ ...hello, output_config: { format } })
    expect(message.parsed_output).toEqual({ city: 'Bern', people: 134_591 })
    expect(bodies(exchanges)[0].output_config.format.type).toBe('json_schema')
  })

  it('counts the tokens that the same request is billed for', async () => {
    const { client, simulator } = await simulate()
    const { max_tokens, ...request } = { ...hello, system: words(50), tools: [clock] }
    const { input_tokens } = await client.messages.countTokens(request)
    const { usage } = await client.messages.create({ ...request, max_tokens })
    expect(input_tokens).toBe(usage.input_tokens)
    expect(simulator.ledger.totals().requests).toBe(1)
  })

  it('lists all models page by page and retrieves one', async () => {
    const { client } = await simulate()
    const page = await client.models.list({ limit: 3 })
    expect(page.data).toHaveLength(3)
    const ids: string[] = []
    for await (const model of page) ids.push(model.id)
    expect(new Set(ids)).toEqual(new Set(MODELS.map((model) => model.id)))
    expect(ids).toHaveLength(MODELS.length)
    const model = await client.models.retrieve('claude-opus-5-5')
    expect(model).toMatchObject({ id: 'claude-opus-5-5', max_input_tokens: 1_000_000, max_tokens: 128_000 })
    expect(await rejection(client.models.retrieve('nobody'))).toBeInstanceOf(Anthropic.NotFoundError)
  })
})

describe('beta messages of the SDK', () => {
  it('creates, streams, counts and lists as the others do', async () => {
    const { client } = await simulate({ model: scripted(() => 'beta') })
    const betas = [COMPACTION]
    expect(textOf(await client.beta.messages.create({ ...hello, betas }))).toBe('beta')
    expect(await client.beta.messages.stream({ ...hello, betas }).finalText()).toBe('beta')
    const raw = await client.beta.messages.create({ ...hello, betas, stream: true })
    const types: string[] = []
    for await (const event of raw) types.push(event.type)
    expect(types.at(-1)).toBe('message_stop')
    const { max_tokens: _, ...request } = hello
    const counted = await client.beta.messages.countTokens({ ...request, betas: ['token-counting-2024-11-01'] })
    expect(counted.input_tokens).toBeGreaterThan(0)
    const ids: string[] = []
    for await (const model of client.beta.models.list({ limit: 5 })) ids.push(model.id)
    expect(ids).toHaveLength(MODELS.length)
  })

  it('parses an answer by a zod schema', async () => {
    const { client } = await simulate({ model: scripted(['{"done":true}']) })
    const format = zodOutputFormat(z.object({ done: z.boolean() }))
    const message = await client.beta.messages.parse({ ...hello, output_config: { format } })
    expect(message.parsed_output).toEqual({ done: true })
  })

  it('shows the iterations of a compaction', async () => {
    const { client } = await simulate()
    const message = await client.beta.messages.create({
      ...hello,
      betas: [COMPACTION],
      compaction: { type: 'summarize' },
    })
    expect(message.stop_reason).toBe('compaction')
    expect(message.usage.iterations).toMatchObject([{ type: 'compaction' }])
  })
})

/** A tool that counts how often it ran. */
function countingTool() {
  const asked: string[] = []
  const tool = betaZodTool({
    name: 'weather',
    description: 'Tells the weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    run: ({ city }) => {
      asked.push(city)
      return `${city}: sunny`
    },
  })
  return { tool, asked }
}

const twoCities = [
  callOf('weather', { city: 'Bern' }),
  [callOf('weather', { city: 'Rome' }), callOf('weather', { city: 'Oslo' })],
  'Sunny everywhere.',
]

describe('the tool runner of the SDK', () => {
  it('runs all tools without a thread', async () => {
    const { client, exchanges } = await simulate({ model: scripted(twoCities) })
    const { tool, asked } = countingTool()
    const message = await client.beta.messages.toolRunner({ ...hello, tools: [tool], thread: false })
    expect(textOf(message)).toBe('Sunny everywhere.')
    expect(asked).toEqual(['Bern', 'Rome', 'Oslo'])
    expect(exchanges.map(({ entry }) => entry.end)).toEqual(['tool_use', 'tool_use', 'end_turn'])
    expect(bodies(exchanges).map((body) => body.messages.length)).toEqual([1, 3, 5])
  })

  it('falls back from a thread by itself and reaches the end', async () => {
    const { client, exchanges } = await simulate({ model: scripted(twoCities) })
    const { tool, asked } = countingTool()
    const message = await client.beta.messages.toolRunner({ ...hello, tools: [tool] })
    expect(textOf(message)).toBe('Sunny everywhere.')
    expect(asked).toEqual(['Bern', 'Rome', 'Oslo'])
    expect(exchanges.map(({ entry }) => entry.status)).toEqual([400, 200, 200, 200])
    expect(bodies(exchanges).map((body) => body.thread?.type)).toEqual(['create', undefined, undefined, undefined])
  })

  it('streams every turn', async () => {
    const { client } = await simulate({ model: scripted(twoCities) })
    const { tool, asked } = countingTool()
    const turns: string[] = []
    for await (const stream of client.beta.messages.toolRunner({
      ...hello,
      tools: [tool],
      thread: false,
      stream: true,
    })) {
      turns.push(String((await stream.finalMessage()).stop_reason))
    }
    expect(turns).toEqual(['tool_use', 'tool_use', 'end_turn'])
    expect(asked).toHaveLength(3)
  })

  it('tells the model of a tool that fails', async () => {
    const { client, exchanges } = await simulate({ model: scripted([callOf('weather', {}), 'Sorry.']) })
    const { tool, asked } = countingTool()
    await client.beta.messages.toolRunner({ ...hello, tools: [tool], thread: false })
    expect(asked).toEqual([])
    expect(bodies(exchanges)[1].messages[2].content[0]).toMatchObject({ type: 'tool_result', is_error: true })
  })

  it('compacts on demand and goes on from the summary', async () => {
    const { client, exchanges } = await simulate({ model: scripted(twoCities) })
    const { tool, asked } = countingTool()
    const runner = client.beta.messages.toolRunner({ ...hello, betas: [COMPACTION], tools: [tool], thread: false })
    let turns = 0
    for await (const _ of runner) if (turns++ === 0) runner.compactBeforeNextTurn()
    expect(asked).toEqual(['Bern', 'Rome', 'Oslo'])
    expect(exchanges.map(({ entry }) => entry.end)).toEqual(['tool_use', 'compaction', 'tool_use', 'end_turn'])
    const [, asking, after] = bodies(exchanges)
    expect(asking.compaction).toEqual({ type: 'summarize' })
    expect(after.messages[0].content[0]).toMatchObject({ type: 'compaction', signature: expect.any(String) })
    expect(after.messages).toHaveLength(1)
  })

  it('works the memory tool on a folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'simulator-memory-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const memory = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(folder))
    const { client, exchanges } = await simulate({
      model: scripted([
        callOf('memory', { command: 'view', path: '/memories' }),
        callOf('memory', { command: 'create', path: '/memories/plan.md', file_text: 'Ask twice.' }),
        callOf('memory', { command: 'view', path: '/memories/plan.md' }),
        'Noted.',
      ]),
    })
    const message = await client.beta.messages.toolRunner({ ...hello, tools: [memory], thread: false })
    expect(textOf(message)).toBe('Noted.')
    expect(await readFile(join(folder, 'memories/plan.md'), 'utf8')).toBe('Ask twice.')
    const last = bodies(exchanges).at(-1).messages.at(-1).content[0]
    expect(JSON.stringify(last.content)).toContain('Ask twice.')
    expect(bodies(exchanges)[0].tools).toEqual([{ type: 'memory_20250818', name: 'memory' }])
  })
})
