import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { type Reply, type ReplyBlock, type SimulatorOptions, scripted } from '../../src/index.js'
import { callOf, clock } from '../support/conversation.js'
import { rejection, simulate, words } from '../support/simulate.js'
import {
  answered,
  asked,
  type BetaBlockParam,
  type BetaMessageParam,
  type BetaParams,
  bound,
  converse,
  ponder,
  replaced,
} from '../support/thinking.js'

const HEADER = 'compact-2026-09-04'
const INLINE = 'inline-tools-2026-09-15'
const TOOL_CHANGES = 'mid-conversation-tool-changes-2026-07-01'
const SUMMARY = 'All is well so far.'
const compaction = { type: 'summarize' as const }
const params = { ...bound, betas: [HEADER] }

async function start(summary: Reply | ReplyBlock = SUMMARY, options: SimulatorOptions = {}) {
  const instructions: (string | undefined)[] = []
  const { client } = await simulate({
    model: scripted((turn) => {
      if (turn.purpose === 'message') return ponder(turn)
      instructions.push(turn.instructions)
      return summary
    }),
    ...options,
  })
  const send = (messages: BetaMessageParam[], more: Partial<BetaParams> = {}) =>
    client.beta.messages.create({ ...params, messages, ...more } as typeof params & { messages: BetaMessageParam[] })
  const summarise = (messages: BetaMessageParam[], more: Partial<BetaParams> = {}) =>
    send(messages, { compaction, ...more })
  const { max_tokens: _, ...counted } = params
  const count = async (messages: BetaMessageParam[]) =>
    (await client.beta.messages.countTokens({ ...counted, messages })).input_tokens
  return { client, instructions, send, summarise, count }
}

const HISTORY = [asked('One'), { role: 'assistant' as const, content: 'Yes.' }, asked('Two')]
const signed = { type: 'compaction', content: SUMMARY, encrypted_content: null, signature: expect.any(String) }

describe('On-demand compaction', () => {
  it('[X9] answers with a signed block, and bills an iteration and no top-level usage', async () => {
    const { summarise, count } = await start()
    const { content, stop_reason, usage } = await summarise(HISTORY)
    expect([stop_reason, content]).toEqual(['compaction', [signed]])
    expect([usage.input_tokens, usage.output_tokens, usage.cache_creation_input_tokens]).toEqual([0, 0, 0])
    expect(usage.iterations).toMatchObject([{ type: 'compaction', cache_read_input_tokens: 0 }])
    expect(usage.iterations?.[0]?.input_tokens).toBeGreaterThan(await count(HISTORY))
    expect(usage.iterations?.[0]?.output_tokens).toBeGreaterThan(0)
  })

  it('[X9] streams the block whole', async () => {
    const { client } = await start()
    const seen: unknown[] = []
    const request = { ...params, messages: HISTORY, compaction, stream: true as const }
    for await (const event of await client.beta.messages.create(request)) {
      if (event.type === 'content_block_start') seen.push(event.content_block)
      if (event.type === 'content_block_delta') seen.push(event.delta)
    }
    expect(seen).toEqual([signed])
  })

  it('[X9] lets the conversation go on from the block', async () => {
    const { summarise, send, count } = await start()
    const block = answered(await summarise([asked(words(3_000)), ...HISTORY]))
    const { content, usage } = await send([block, asked('Three')])
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'text'])
    expect(usage.input_tokens).toBe(await count([block, asked('Three')]))
    expect(usage.input_tokens).toBeLessThan(1_000)
  })

  it.each([
    ['context_management', { context_management: { edits: [] }, betas: [HEADER, 'context-management-2025-06-27'] }],
    ['stop_sequences', { stop_sequences: ['.'] }],
    ['output_config.format', { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }],
    ['tool_choice', { model: 'claude-opus-5', tool_choice: { type: 'any' } }],
    ['tool_choice', { model: 'claude-opus-5', tool_choice: { type: 'tool', name: 'clock' } }],
    [
      'output_config.task_budget.remaining',
      {
        output_config: { task_budget: { type: 'tokens', total: 20_000, remaining: 9_000 } },
        betas: [HEADER, 'task-budgets-2026-03-13'],
      },
    ],
  ] as [string, Partial<BetaParams>][])('[X10] is refused together with %s', async (path, more) => {
    const { summarise, send } = await start()
    await send(HISTORY, more)
    expect((await rejection(summarise(HISTORY, more))).apiMessage).toContain(`${path}: `)
  })

  it('[X10] is refused with an open call', async () => {
    const { summarise } = await start()
    const call: BetaBlockParam = { type: 'tool_use', id: 'toolu_1', name: 'clock', input: {} }
    const open = [asked('Use it'), { role: 'assistant' as const, content: [call] }]
    const error = await rejection(summarise(open))
    expect([error.status, error.errorCode]).toEqual([400, 'compaction_incomplete_turn'])
    await summarise([...open, asked([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Noon.' }])])
  })

  it('[X10] is refused for an empty conversation', async () => {
    const { summarise } = await start()
    expect((await rejection(summarise([]))).errorCode).toBe('compaction_nothing_to_summarize')
  })

  it('[X10] is refused with nothing to summarise', async () => {
    const { summarise } = await start()
    const block = answered(await summarise(HISTORY))
    expect((await rejection(summarise([block]))).errorCode).toBe('compaction_nothing_to_summarize')
    await summarise([block, asked('Three')])
  })

  it('[X10] is refused by models that can not do it', async () => {
    const { summarise } = await start()
    await summarise(HISTORY, { model: 'claude-opus-4-6' })
    expect((await rejection(summarise(HISTORY, { model: 'claude-opus-4-5' }))).status).toBe(400)
  })
})

describe('The signed block', () => {
  it('[X11] is taken as a message of its own, or as the first block of the first message', async () => {
    const { summarise, send } = await start()
    const block = (await summarise(HISTORY)).content[0] as BetaBlockParam
    await send([{ role: 'assistant', content: [block] }, asked('Three')])
    await send([{ role: 'assistant', content: [block, { type: 'text', text: 'So.' }] }, asked('Three')])
    await send([asked([block, { type: 'text', text: 'Three' }])])
  })

  it('[X11] comes first, in place of what it summarises', async () => {
    const { summarise, send } = await start()
    const block = answered(await summarise(HISTORY))
    const error = await rejection(send([...HISTORY, block, asked('Three')]))
    expect([error.errorCode, error.apiMessage]).toEqual([
      'compaction_block_misplaced',
      'messages.3.content.0: `compaction` block must be sent first, in place of the messages it summarizes; remove those messages',
    ])
  })

  it('[X11] comes alone', async () => {
    const { summarise, send } = await start()
    const first = answered(await summarise(HISTORY))
    const second = answered(await summarise([first, asked('Three')]))
    await send([second, asked('Four')])
    expect((await rejection(send([first, second, asked('Four')]))).errorCode).toBe('compaction_block_ambiguous')
  })

  it.each([
    ['compaction_signature_invalid', { signature: 'forged' }],
    ['compaction_signature_invalid', { signature: null }],
    ['compaction_content_mismatch', { content: 'Another summary.' }],
    ['compaction_tool_changes_mismatch', { tool_changes: [] }],
  ])('[X11] comes back unchanged: %s with %j', async (code, change) => {
    const { summarise, send } = await start()
    const betas = [HEADER, INLINE, TOOL_CHANGES]
    const removal: BetaMessageParam = {
      role: 'system',
      content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'map' } }],
    }
    const block = (await summarise([...HISTORY, removal], { betas })).content[0] as BetaBlockParam
    const back = (more: object) =>
      send([{ role: 'assistant', content: [{ ...block, ...more } as BetaBlockParam] }, asked('Three')], { betas })
    await back({})
    await back({ cache_control: { type: 'ephemeral' } })
    expect((await rejection(back(change))).errorCode).toBe(code)
  })

  it('[X11] has no fields but its own', async () => {
    const { summarise, send } = await start()
    const block = (await summarise(HISTORY)).content[0] as BetaBlockParam
    const odd = { ...block, citations: null } as BetaBlockParam
    expect((await rejection(send([asked([odd, { type: 'text', text: 'Three' }])]))).apiMessage).toBe(
      'messages.0.content.0.compaction.citations: Extra inputs are not permitted',
    )
  })

  it('[X11] comes with the header on every request', async () => {
    const { summarise, send } = await start()
    const messages = [answered(await summarise(HISTORY)), asked('Three')]
    await send(messages)
    expect((await rejection(send(messages, { betas: [] }))).apiMessage).toContain(`anthropic-beta: ${HEADER}`)
  })
})

describe('Turns kept after the block', () => {
  const MISMATCH = 'bound to a different conversation'
  /** All up to the third prompt is summarised; its answer and another exchange, both with thinking, are kept. */
  async function keepTail() {
    const server = await start()
    const messages = await converse(server.client, bound, ['One', 'Two', 'Three', 'Four'])
    const kept = messages.slice(5)
    const block = answered(await server.summarise(messages.slice(0, 5)))
    return { ...server, messages, kept, block, next: asked('Five') }
  }

  it('[X12] stay valid where they directly follow what it summarises', async () => {
    const { send, block, kept, next } = await keepTail()
    const answer = answered(await send([block, ...kept, next]))
    await send([block, ...kept, next, answer, asked('Six')])
    expect((await rejection(send([block, ...replaced(kept, 1, asked('For')), next]))).apiMessage).toContain(MISMATCH)
  })

  it("[X12] stay valid where the summary ends with the assistant's words", async () => {
    const { send, summarise, messages, next } = await keepTail()
    const block = answered(await summarise(messages.slice(0, 4)))
    await send([block, ...messages.slice(4), next])
  })

  it('[X12] stay valid when the summary is made while the conversation goes on', async () => {
    const { client, send, messages, block, kept, next } = await keepTail()
    const later = await client.beta.messages.create({ ...bound, messages: [...messages, next] })
    await send([block, ...kept, next, answered(later), asked('Six')])
  })

  it('[X12] do not stay valid with a turn left out between', async () => {
    const { send, summarise, messages, kept, next } = await keepTail()
    const early = answered(await summarise(messages.slice(0, 3)))
    await send([early, ...messages.slice(3), next])
    expect((await rejection(send([early, ...kept, next]))).apiMessage).toContain(MISMATCH)
  })

  it.each([
    ['system', { system: 'Be long.' }],
    ['tools', { tools: [clock] }],
  ] as [string, Partial<BetaParams>][])('[X12] do not stay valid with other %s', async (_, change) => {
    const { send, block, kept, next } = await keepTail()
    await send([block, next], change)
    expect((await rejection(send([block, ...kept, next], change))).apiMessage).toContain(MISMATCH)
  })

  it.each<[string, BetaMessageParam]>([
    ['a message of the same role', asked('And more')],
    ['a system message', { role: 'system', content: 'Mind the gap.' }],
  ])('[X12] do not stay valid when they begin with %s', async (_, first) => {
    const { client, send, summarise } = await start()
    const answer = answered(await client.beta.messages.create({ ...bound, messages: [asked('One'), first] }))
    const block = answered(await summarise([asked('One')]))
    await send([asked('One'), first, answer, asked('Two')])
    const begun = first.role === 'system' ? [asked([...blocksIn(block)]), first] : [block, first]
    expect((await rejection(send([...begun, answer, asked('Two')]))).apiMessage).toContain(MISMATCH)
  })

  it('[X12] do not stay valid when a model that does not bind thinking made the summary', async () => {
    const { send, summarise, messages, kept, next } = await keepTail()
    const unbound = answered(await summarise(messages.slice(0, 5), { model: 'claude-opus-5' }))
    await send([unbound, next])
    expect((await rejection(send([unbound, ...kept, next]))).apiMessage).toContain(MISMATCH)
  })
})

const blocksIn = (message: BetaMessageParam) => message.content as BetaBlockParam[]

describe('No summary', () => {
  const tiny = [{ id: 'tiny', like: 'claude-opus-5-5', window: 700 }]

  it.each<[string, Reply | ReplyBlock, Partial<BetaParams>]>([
    ['end_turn', '', {}],
    ['tool_use', callOf('clock'), {}],
    ['refusal', { content: ['No.'], stop: 'refusal' }, {}],
    ['max_tokens', words(100), { max_tokens: 20 }],
    ['model_context_window_exceeded', words(300), { model: 'tiny' }],
  ])('[X13] is a 200 without content that stops with %s and is billed', async (reason, reply, more) => {
    const { summarise, count } = await start(reply, { models: tiny })
    const { content, stop_reason, usage } = await summarise(HISTORY, more)
    expect([stop_reason, content]).toEqual([reason, []])
    expect([usage.input_tokens, usage.output_tokens]).toEqual([0, 0])
    expect(usage.iterations).toMatchObject([{ type: 'compaction' }])
    expect(usage.iterations?.[0]?.input_tokens).toBeGreaterThan(await count(HISTORY))
  })
})

describe('Instructions and tool changes', () => {
  it('[X14] takes instructions of 16,384 characters, and not of one more', async () => {
    const { summarise } = await start()
    const ask = (length: number) =>
      summarise(HISTORY, { compaction: { ...compaction, instructions: 'x '.repeat(9_000).slice(0, length) } })
    await ask(16_384)
    expect((await rejection(ask(16_385))).apiMessage).toBe(
      'compaction.instructions: String should have at most 16384 characters',
    )
  })

  it('[X14] has them replace the default; blank ones are none', async () => {
    const { summarise, count, instructions } = await start()
    const input = async (own?: string) => {
      const { usage } = await summarise(HISTORY, { compaction: { ...compaction, ...(own && { instructions: own }) } })
      return usage.iterations?.[0]?.input_tokens ?? 0
    }
    const [byDefault, blank, own] = [await input(), await input('  \n'), await input('Names.')]
    expect(instructions).toEqual([undefined, undefined, 'Names.'])
    expect(blank).toBe(byDefault)
    const letter: BetaBlockParam = { type: 'text', text: 'a' }
    const named = (await count([asked([letter, { type: 'text', text: 'Names.' }])])) - (await count([asked([letter])]))
    expect(own).toBe((await count(HISTORY)) + named)
  })

  it('[X14] carries the tool changes of the range with their header, and keeps them in force', async () => {
    const offered: string[][] = []
    const { client } = await simulate({
      model: scripted((turn) => {
        offered.push(turn.tools.map(({ name }) => name))
        return SUMMARY
      }),
    })
    const change = { type: 'tool_removal' as const, tool: { type: 'tool_reference' as const, name: 'map' } }
    const messages: BetaMessageParam[] = [...HISTORY, { role: 'system', content: [change] }]
    const summarise = (...betas: string[]) =>
      client.beta.messages.create({ ...bound, messages, compaction, betas: [HEADER, TOOL_CHANGES, ...betas] })
    const plain = await summarise()
    expect(plain.content[0]).not.toHaveProperty('tool_changes')
    const carrying = await summarise(INLINE)
    expect(carrying.content[0]).toHaveProperty('tool_changes', [change])
    const none = await client.beta.messages.create({ ...bound, messages: HISTORY, compaction, betas: [HEADER, INLINE] })
    expect(none.content[0]).toHaveProperty('tool_changes', [])

    const goOn = (message: Anthropic.Beta.BetaMessage) =>
      client.beta.messages.create({
        ...bound,
        messages: [answered(message), asked('Three')],
        betas: [HEADER, TOOL_CHANGES, INLINE],
      })
    await goOn(plain)
    await goOn(carrying)
    expect(offered.slice(-2)).toEqual([['clock', 'map'], ['clock']])
  })
})
