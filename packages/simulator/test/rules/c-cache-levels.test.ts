import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { scripted } from '../../src/index.js'
import {
  assistant,
  bill,
  count,
  headTokens,
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
import { simulate } from '../support/simulate.js'

const FAST = { 'anthropic-beta': 'fast-mode-2026-02-01' }
const PNG = {
  type: 'image' as const,
  source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'AA' },
}
const WEB_SEARCH = { type: 'web_search_20250305' as const, name: 'web_search' as const }

const call = (id: string) => ({ type: 'tool_use' as const, id, name: 'look', input: { path: id } })
const result = (id: string, content: string | Anthropic.TextBlockParam[] = `seen by ${id}`) => ({
  type: 'tool_result' as const,
  tool_use_id: id,
  content,
})

/** A request that is marked on every level. */
const base = request([text('a question', '5m')], {
  tools: [tool('find'), tool('look', '5m')],
  system: [text('You look things up.', '5m')],
})

const withBlocks = (...more: Anthropic.ContentBlockParam[]): Request => ({
  ...base,
  messages: [user(text('a question', '5m'), ...more)],
})

type Level = 'tools' | 'system' | 'messages'

/** Sends one request after another and checks that the second reads all up to the end of a level, and no more. */
async function expectSpared(level: Level | 'nothing', before: Request, after: Request, headers = {}): Promise<void> {
  const { client } = await simulate({ models: [tiny] })
  await bill(client, before)
  const ends = {
    nothing: 0,
    tools: await headTokens(client, { ...before, system: [] }),
    system: await headTokens(client, before),
    messages: await count(client, before),
  }
  const billed = await bill(client, after, headers)
  const total = await count(client, after, headers)
  expect(billed.read).toBe(ends[level])
  expect(billed.read + billed.write5m + billed.input).toBe(total)
}

describe('Levels of the prompt cache', () => {
  const [find, look] = base.tools as [Anthropic.Tool, Anthropic.Tool]
  it.each<[string, Anthropic.Tool[]]>([
    ['the name of a tool', [find, { ...look, name: 'see' }]],
    ['the description of a tool', [find, { ...look, description: 'Sees.' }]],
    ['the schema of a tool', [find, { ...look, input_schema: { type: 'object' } }]],
    [
      'the order of keys in a schema',
      [{ ...find, input_schema: { properties: { path: { type: 'string' } }, type: 'object' } }, look],
    ],
    ['the order of the tools', [tool('look'), tool('find', '5m')]],
    ['the number of tools', [tool('first'), find, look]],
  ])('[C13] loses all levels to a change of %s', async (_what, tools) => {
    await expectSpared('nothing', base, { ...base, tools })
  })

  it('[C13] loses the messages to a change of the system prompt, and spares the tools', async () => {
    await expectSpared('tools', base, { ...base, system: [text('You look up things.', '5m')] })
  })

  it('[C14] spares the tools when the speed changes', async () => {
    await expectSpared('tools', base, { ...base, speed: 'fast' }, FAST)
  })

  it('[C14] spares the tools when web search is switched on', async () => {
    const tools = [WEB_SEARCH, find, look]
    await expectSpared('tools', base, { ...base, tools })
  })

  it('[C14] reads it all again when web search stays on', async () => {
    const body = { ...base, tools: [find, look, WEB_SEARCH] }
    await expectSpared('messages', body, body)
  })

  it('[C14] writes up to a web search tool that is marked', async () => {
    const { client } = await simulate({ models: [tiny] })
    const body = request([text('a question')], { tools: [find, { ...WEB_SEARCH, ...mark() }] })
    const tools = await headTokens(client, body)
    const total = await count(client, body)
    expect(await bill(client, body)).toEqual(split({ write5m: tools, input: total - tools }))
    expect(await bill(client, body)).toEqual(split({ read: tools, input: total - tools }))
  })

  const paper = (enabled: boolean) => ({
    type: 'document' as const,
    source: { type: 'text' as const, media_type: 'text/plain' as const, data: 'some text' },
    citations: { enabled },
  })
  it('[C14] spares the tools when citations are switched on', async () => {
    await expectSpared('tools', withBlocks(paper(false)), withBlocks(paper(true)))
  })

  it('[C14] spares the tools when citations are switched on inside a tool result', async () => {
    const conversation = (enabled: boolean): Request => ({
      ...base,
      messages: [
        user(text('a question', '5m')),
        assistant(call('toolu_1')),
        user({ type: 'tool_result', tool_use_id: 'toolu_1', content: [paper(enabled)] }),
      ],
    })
    await expectSpared('tools', conversation(false), conversation(true))
  })

  it.each<[string, Partial<Request>]>([
    ['another tool choice', { tool_choice: { type: 'none' } }],
    ['a forced tool choice', { tool_choice: { type: 'any' } }],
    ['a named tool choice', { tool_choice: { type: 'tool', name: 'look' } }],
    ['no parallel use', { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
    ['no thinking', { thinking: { type: 'disabled' } }],
    ['another effort', { output_config: { effort: 'low' } }],
    ['a first image', { messages: withBlocks(PNG).messages }],
  ])('[C15] loses the messages only to %s', async (_what, change) => {
    await expectSpared('system', base, { ...base, ...change })
  })

  it('[C15] loses the messages only to a first image inside a tool result', async () => {
    const asked = [...base.messages, assistant(call('toolu_1'))]
    const seen = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: [PNG] }
    await expectSpared('system', base, { ...base, messages: [...asked, user({ ...seen, ...mark() })] })
  })

  it('[C15] loses the messages only to another name in a forced choice', async () => {
    const named = (name: string): Request => ({ ...base, tool_choice: { type: 'tool', name } })
    await expectSpared('system', named('look'), named('find'))
  })

  it('[C15] loses the messages only to another thinking budget', async () => {
    const { client } = await simulate({ models: [{ ...tiny, like: 'claude-sonnet-4-6' }] })
    const thinking = (budget_tokens: number): Request => ({
      ...base,
      max_tokens: 5_000,
      thinking: { type: 'enabled', budget_tokens },
    })
    await bill(client, thinking(1_024))
    const [system, total] = [await headTokens(client, base), await count(client, base)]
    expect(await bill(client, thinking(2_048))).toEqual(split({ read: system, write5m: total - system }))
  })

  it('[C15] takes a further image for no change', async () => {
    const { client } = await simulate({ models: [tiny] })
    const one = withBlocks({ ...PNG, ...mark() })
    const two = withBlocks({ ...PNG, ...mark() }, PNG)
    await bill(client, one)
    const [first, second] = [await count(client, one), await count(client, two)]
    expect(await bill(client, two)).toEqual(split({ read: first, input: second - first }))
  })

  it.each<[string, Partial<Request>]>([
    ['tool choice', { tool_choice: { type: 'auto' } }],
    ['parallel use', { tool_choice: { type: 'auto', disable_parallel_tool_use: false } }],
    ['thinking', { thinking: { type: 'adaptive' } }],
    ['effort', { output_config: { effort: 'high' } }],
    ['speed', { speed: 'standard' }],
  ])('[C15] takes the default of %s, spelled out, for no change', async (_what, change) => {
    await expectSpared('messages', base, { ...base, ...change })
    await expectSpared('messages', { ...base, ...change }, base)
  })

  describe('with old thinking in view', () => {
    const models = [tiny, { ...tiny, id: 'strips', like: 'claude-haiku-4-5' }]
    const model = scripted((turn) =>
      turn.messages.length === 1 ? [{ type: 'thinking', thinking: 'let me look' }, call('toolu_1')] : 'seen',
    )

    /** Has a model think and call a tool, gives it the result, and then says something else. */
    async function newPrompt(changes: Partial<Request>) {
      const { client } = await simulate({ models, model })
      const opening: Request = { ...base, ...changes, messages: [user(text('look'))] }
      const { content } = await client.messages.create(opening)
      expect(content.map((block) => block.type)).toEqual(['thinking', 'tool_use'])
      const looked: Request = {
        ...opening,
        messages: [...opening.messages, assistant(...content), user({ ...result('toolu_1'), ...mark() })],
      }
      await bill(client, looked)
      const next: Request = {
        ...looked,
        messages: [...looked.messages, assistant(text('seen')), user(text('thanks', '5m'))],
      }
      const billed = await bill(client, next)
      const tokens = { system: await headTokens(client, opening), looked: await count(client, looked) }
      return { billed, ...tokens, total: await count(client, next) }
    }

    it('[C16] keeps the messages over a new prompt where the model keeps thinking', async () => {
      const { billed, looked, total } = await newPrompt({})
      expect(billed).toEqual(split({ read: looked, write5m: total - looked }))
    })

    it('[C16] loses the messages to a new prompt where the model strips thinking', async () => {
      const thinking = { type: 'enabled' as const, budget_tokens: 1_024 }
      const { billed, system, total } = await newPrompt({ model: 'strips', max_tokens: 2_000, thinking })
      expect(billed).toEqual(split({ read: system, write5m: total - system }))
    })
  })

  describe('with later tools and system messages', () => {
    const hidden = { ...tool('hidden'), defer_loading: true }
    const withHidden: Request = { ...base, tools: [...(base.tools ?? []), hidden] }

    it('[C17] takes a deferred tool for no change', async () => {
      await expectSpared('messages', base, withHidden)
    })

    it('[C17] takes a deferred tool that is found for no change', async () => {
      const { client } = await simulate({ models: [tiny] })
      const content = [{ type: 'tool_reference' as const, tool_name: 'hidden' }]
      const found: Request = {
        ...withHidden,
        messages: [
          ...base.messages,
          assistant(call('toolu_1')),
          user({ type: 'tool_result', tool_use_id: 'toolu_1', content, ...mark() }),
        ],
      }
      await bill(client, withHidden)
      const [before, after] = [await count(client, withHidden), await count(client, found)]
      expect(await bill(client, found)).toEqual(split({ read: before, write5m: after - before }))
      expect(await bill(client, found)).toEqual(split({ read: after }))
    })

    it('[C17] takes a system message for no change', async () => {
      const { client } = await simulate({ models: [tiny] })
      const told: Request = { ...base, messages: [...base.messages, { role: 'system', content: 'Be brief.' }] }
      await bill(client, base)
      const [before, after] = [await count(client, base), await count(client, told)]
      expect(await bill(client, told)).toEqual(split({ read: before, input: after - before }))
    })

    it.each(['tool_addition', 'tool_removal'] as const)('[C17] takes a %s for no change', async (type) => {
      const { client } = await simulate({ models: [tiny] })
      const change = {
        type,
        tool: { type: 'tool_reference' as const, name: type === 'tool_removal' ? 'look' : 'hidden' },
      }
      const messages = [
        ...withHidden.messages,
        { role: 'system' as const, content: [change] },
      ] as Anthropic.Beta.BetaMessageParam[]
      const betas = ['mid-conversation-tool-changes-2026-07-01']
      await bill(client, withHidden)
      const { usage } = await client.beta.messages.create({
        ...(withHidden as object),
        model: 'tiny',
        max_tokens: 100,
        messages,
        betas,
      })
      expect(splitOf(usage).read).toBe(await count(client, withHidden))
    })

    it('[C17] takes a change of effort in a system message for no change', async () => {
      const { client } = await simulate({ models: [tiny] })
      const betas = ['mid-conversation-output-config-2026-07-01']
      const messages = [
        ...base.messages,
        { role: 'system' as const, content: [], output_config: { effort: 'low' as const } },
      ]
      await bill(client, base)
      const { usage } = await client.beta.messages.create({
        ...(base as object),
        model: 'tiny',
        max_tokens: 100,
        messages,
        betas,
      } as Anthropic.Beta.MessageCreateParamsNonStreaming)
      expect(splitOf(usage).read).toBe(await count(client, base))
    })
  })

  it('[C18] loses the cache from the first block that the server cleared', async () => {
    const { client } = await simulate({ models: [tiny] })
    const rounds = (last: number): Anthropic.MessageParam[] =>
      [1, 2, 3]
        .slice(0, last)
        .flatMap((number) => [
          assistant({ ...call(`toolu_${number}`), ...(number === 1 && mark()) }),
          user({ ...result(`toolu_${number}`, 'seen '.repeat(50)), ...(number === last && mark()) }),
        ])
    const send = (messages: Anthropic.MessageParam[]) => ({
      model: 'tiny',
      tools: [tool('look')],
      messages: messages as Anthropic.Beta.BetaMessageParam[],
      betas: ['context-management-2025-06-27'],
      context_management: {
        edits: [
          {
            type: 'clear_tool_uses_20250919' as const,
            trigger: { type: 'tool_uses' as const, value: 2 },
            keep: { type: 'tool_uses' as const, value: 1 },
          },
        ],
      },
    })
    const whole = [user(text('look around')), ...rounds(2)]
    const first = await client.beta.messages.create({ ...send(whole), max_tokens: 100 })
    expect(first.context_management?.applied_edits).toEqual([])

    const longer = [user(text('look around')), ...rounds(3)]
    const { usage, context_management } = await client.beta.messages.create({ ...send(longer), max_tokens: 100 })
    expect(context_management?.applied_edits).toMatchObject([{ cleared_tool_uses: 2 }])
    const tail = user(result('toolu_1', 'x'))
    const kept = await client.beta.messages.countTokens(send([...longer.slice(0, 2), tail]))
    const small = await client.beta.messages.countTokens({ model: 'tiny', messages: [{ role: 'user', content: 'x' }] })
    const total = await client.beta.messages.countTokens(send(longer))
    const read = kept.input_tokens - small.input_tokens
    expect(splitOf(usage)).toEqual(split({ read, write5m: total.input_tokens - read }))
  })
})
