import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { scripted } from '../../src/index.js'
import { clock } from '../support/conversation.js'
import { rejection, simulate } from '../support/simulate.js'
import {
  answered,
  asked,
  type BetaBlockParam,
  type BetaMessageParam,
  type BetaParams,
  BINDING,
  blocksOf,
  bound,
  converse,
  ponder,
  replaced,
  thinkingIn,
  without,
} from '../support/thinking.js'

const model = scripted(ponder)
const CLEAR_AT = 'mid-conversation-system-clear-at-2026-08-21'
const DROP = { type: 'adaptive' as const, block_binding: { prefix_mismatch_behavior: 'drop_block' as const } }
const ERROR = { type: 'adaptive' as const, block_binding: { prefix_mismatch_behavior: 'error' as const } }

const MISMATCH =
  'Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'

const blockAt = (messages: readonly BetaMessageParam[], message: number, index: number) =>
  blocksOf(messages[message] as BetaMessageParam)[index] as BetaBlockParam

/** 0 asks for a tool, 1 calls it, 2 is its result, 3 answers; 4 asks, 5 answers; 6 asks. Thinking opens 1, 3 and 5. */
async function history(client: Anthropic): Promise<BetaMessageParam[]> {
  return [...(await converse(client, bound, ['Use the clock', 'Two'])), asked('Three')]
}

const extra = (messages: readonly BetaMessageParam[], message: number) =>
  replaced(messages, message, {
    role: (messages[message] as BetaMessageParam).role,
    content: [...blocksOf(messages[message] as BetaMessageParam), { type: 'text', text: 'One thing more.' }],
  } as BetaMessageParam)

const rewrite = (messages: readonly BetaMessageParam[], message: number, change: (block: BetaBlockParam) => object) =>
  replaced(messages, message, {
    role: (messages[message] as BetaMessageParam).role,
    content: blocksOf(messages[message] as BetaMessageParam).map(change),
  } as BetaMessageParam)

type Edit = (messages: BetaMessageParam[]) => Partial<BetaParams>
const edits = (cases: Record<string, Edit>) => Object.entries(cases)

describe('Thinking on another prefix', () => {
  const SYSTEM = 'The `system` prompt has changed.'
  const TOOLS = 'The set of `tools` has changed.'
  const MESSAGE = 'A message before it has changed.'

  it.each([
    ['an edited prompt', 1, MESSAGE, (all) => ({ messages: replaced(all, 0, asked('Use the clock!')) })],
    ['a prompt edited later', 5, MESSAGE, (all) => ({ messages: replaced(all, 4, asked('Too')) })],
    ['a deleted exchange', 1, MESSAGE, (all) => ({ messages: all.slice(4) })],
    [
      'a shortened result',
      3,
      MESSAGE,
      (all) => ({ messages: rewrite(all, 2, (block) => ({ ...block, content: 'It' })) }),
    ],
    [
      'a cleared result',
      3,
      MESSAGE,
      (all) => ({ messages: rewrite(all, 2, ({ ...block }) => ({ ...block, content: [] })) }),
    ],
    [
      'other input of a call',
      3,
      MESSAGE,
      (all) => ({
        messages: rewrite(all, 1, (block) =>
          block.type === 'tool_use' ? { ...block, input: { zone: 'CET' } } : block,
        ),
      }),
    ],
    ['text added to an old prompt', 5, MESSAGE, (all) => ({ messages: extra(all, 4) })],
    ['text added to an old answer', 5, MESSAGE, (all) => ({ messages: extra(all, 3) })],
    ['text removed from an old answer', 5, MESSAGE, (all) => ({ messages: without(all, blockAt(all, 3, 1)) })],
    ['another system prompt', 1, SYSTEM, () => ({ system: 'Be brief. Today is Monday.' })],
    ['no system prompt', 1, SYSTEM, () => ({ system: [] })],
    ['a changed tool', 1, TOOLS, () => ({ tools: [{ ...clock, description: 'Tells it.' }, ...bound.tools.slice(1)] })],
    ['a tool more', 1, TOOLS, () => ({ tools: [...bound.tools, { ...clock, name: 'calendar' }] })],
    ['a tool less', 1, TOOLS, () => ({ tools: bound.tools.slice(0, 1) })],
  ] as [string, number, string, Edit][])('[K9] is refused: %s', async (_, message, change, edit) => {
    const { client } = await simulate({ model })
    const messages = await history(client)
    const request = { ...bound, messages, ...edit(messages) }
    await client.beta.messages.create({ ...bound, messages })
    const error = await rejection(client.beta.messages.create(request))
    expect([error.status, error.apiMessage]).toEqual([
      400,
      `messages.${message}.content.0: ${MISMATCH} That setting requires the \`${BINDING}\` value in the \`anthropic-beta\` header. ${change}`,
    ])
  })

  it('[K9] is refused when exchanges change places', async () => {
    const { client } = await simulate({ model })
    const messages = await converse(client, bound, ['One', 'Two', 'Three'])
    const [a, b, c, d, ...rest] = messages as [BetaMessageParam, BetaMessageParam, BetaMessageParam, BetaMessageParam]
    const send = (all: BetaMessageParam[]) => client.beta.messages.create({ ...bound, messages: [...all, asked('Go')] })
    await send([a, b, c, d, ...rest])
    expect((await rejection(send([c, d, a, b, ...rest]))).apiMessage).toContain(`messages.1.content.0: ${MISMATCH}`)
  })

  it('[K9] is refused when a system message that cleared itself is taken out, and valid where it is left', async () => {
    const { client } = await simulate({ model })
    const params = { ...bound, betas: [CLEAR_AT] }
    const reminder: BetaMessageParam = { role: 'system', content: 'Mind the gap.', clear_at: 'next_user_message' }
    const answer = await client.beta.messages.create({ ...params, messages: [asked('One'), reminder] })
    const rest = [answered(answer), asked('Two')]
    await client.beta.messages.create({ ...params, messages: [asked('One'), reminder, ...rest] })
    const error = await rejection(client.beta.messages.create({ ...params, messages: [asked('One'), ...rest] }))
    expect(error.apiMessage).toContain(`messages.1.content.0: ${MISMATCH}`)
  })

  it('[K9] names the header only where it is missing', async () => {
    const { client } = await simulate({ model })
    const messages = replaced(await history(client), 0, asked('Use it'))
    const error = await rejection(client.beta.messages.create({ ...bound, messages, betas: [BINDING] }))
    expect(error.apiMessage).toBe(`messages.1.content.0: ${MISMATCH} ${MESSAGE}`)
  })

  it('[K9] is no matter of models that do not bind it', async () => {
    const { client } = await simulate({ model })
    const params = { ...bound, model: 'claude-opus-5' }
    const messages = await converse(client, params, ['One', 'Two'])
    await client.beta.messages.create({ ...params, messages: [...replaced(messages, 0, asked('Won')), asked('Three')] })
  })

  it.each(['claude-fable-5-1', 'claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'])(
    '[K9] is refused by %s',
    async (id) => {
      const { client } = await simulate({ model })
      const params = { ...bound, model: id }
      const messages = [...(await converse(client, params, ['One'])), asked('Two')]
      await client.beta.messages.create({ ...params, messages })
      const edited = client.beta.messages.create({ ...params, messages: replaced(messages, 0, asked('Won')) })
      expect((await rejection(edited)).apiMessage).toContain(MISMATCH)
    },
  )
})

describe('Thinking on another prefix, sent by an old account', () => {
  it('[K10] passes and is billed, unless the request sets what is to happen', async () => {
    const { client } = await simulate({ model, account: { thinkingBinding: 'lenient' } })
    const messages = replaced(await history(client), 0, asked('Use the clack'))
    const { usage } = await client.beta.messages.create({ ...bound, messages })
    const bare = without(messages, ...thinkingIn(messages))
    const { usage: least } = await client.beta.messages.create({ ...bound, messages: bare })
    expect(usage.input_tokens).toBeGreaterThan(least.input_tokens)
    const set = client.beta.messages.create({ ...bound, messages, thinking: ERROR, betas: [BINDING] })
    expect((await rejection(set)).apiMessage).toContain(MISMATCH)
  })

  it('[K10] is reported block by block where the header is sent', async () => {
    const { client } = await simulate({ model, account: { thinkingBinding: 'lenient' } })
    const edited = rewrite(await history(client), 2, (block) => ({ ...block, content: 'Midnight.' }))
    const send = (betas: string[]) => client.beta.messages.create({ ...bound, messages: edited, betas })
    expect((await send([BINDING])).input_transformations).toEqual([
      { type: 'thinking_mismatch_allowed', path: 'messages.3.content.0', reason: 'prefix_binding_mismatch' },
      { type: 'thinking_mismatch_allowed', path: 'messages.5.content.0', reason: 'prefix_binding_mismatch' },
    ])
    expect(await send([])).not.toHaveProperty('input_transformations')
  })
})

describe('drop_block', () => {
  it('[K11] drops the failing block and those after it, unbilled, and reports each', async () => {
    const { client } = await simulate({ model })
    const edited = rewrite(await history(client), 2, (block) => ({ ...block, content: 'Midnight.' }))
    const [, second, third] = thinkingIn(edited) as [BetaBlockParam, BetaBlockParam, BetaBlockParam]
    const send = (messages: BetaMessageParam[]) =>
      client.beta.messages.create({ ...bound, messages, thinking: DROP, betas: [BINDING] })
    const dropped = await send(edited)
    const removed = await send(without(edited, second, third))
    expect(dropped.input_transformations).toEqual([
      { type: 'thinking_dropped', path: 'messages.3.content.0', reason: 'prefix_binding_mismatch' },
      { type: 'thinking_dropped', path: 'messages.5.content.0', reason: 'prefix_binding_mismatch' },
    ])
    expect(removed.input_transformations).toEqual([])
    expect(dropped.usage.input_tokens).toBe(removed.usage.input_tokens)
  })

  it('[K11] keeps thinking that was made after the edit', async () => {
    const { client } = await simulate({ model })
    const edited = replaced(await history(client), 0, asked('Use the clack'))
    const send = (messages: BetaMessageParam[]) =>
      client.beta.messages.create({ ...bound, messages, thinking: DROP, betas: [BINDING] })
    const next = await send(edited)
    const later = await send([...edited, answered(next), asked('Four')])
    expect(later.input_transformations?.map(({ path }) => path)).toEqual(
      [1, 3, 5].map((at) => `messages.${at}.content.0`),
    )
    await client.beta.messages.create({
      ...bound,
      messages: [...without(edited, ...thinkingIn(edited)), answered(next), asked('Four')],
    })
  })

  it('[K11] hides the dropped block from the model', async () => {
    const seen: string[][] = []
    const { client } = await simulate({
      model: scripted((turn) => {
        seen.push(turn.messages.flatMap(({ content }) => content.map(({ type }) => type)))
        return ponder(turn)
      }),
    })
    const messages = [...(await converse(client, bound, ['One'])), asked('Two')]
    await client.beta.messages.create({ ...bound, messages })
    const edited = replaced(messages, 0, asked('Won'))
    await client.beta.messages.create({ ...bound, messages: edited, thinking: DROP, betas: [BINDING] })
    expect(seen.slice(-2)).toEqual([
      ['text', 'thinking', 'text', 'text'],
      ['text', 'text', 'text'],
    ])
  })
})

describe('What is no part of the prefix', () => {
  const marker = { type: 'ephemeral' as const }
  it.each(
    edits({
      effort: () => ({ output_config: { effort: 'low' } }),
      max_tokens: () => ({ max_tokens: 300 }),
      tool_choice: () => ({ tool_choice: { type: 'none' } }),
      metadata: () => ({ metadata: { user_id: 'u' } }),
      display: () => ({ thinking: { type: 'adaptive', display: 'summarized' } }),
      'a top-level marker': () => ({ cache_control: marker }),
      'markers on blocks': (all) => ({
        system: [{ type: 'text', text: bound.system, cache_control: marker }],
        tools: bound.tools.map((tool) => ({ ...tool, cache_control: marker })),
        messages: rewrite(all, 2, (block) => ({ ...block, cache_control: marker })),
      }),
      'the order of tools': () => ({ tools: bound.tools.toReversed() }),
      "the order of a tool's keys": () => ({
        tools: bound.tools.map((tool) => Object.fromEntries(Object.entries(tool).toReversed()) as typeof clock),
      }),
      "the order of an input's keys": (all) => ({
        messages: rewrite(all, 1, (block) =>
          block.type === 'tool_use' ? { ...block, input: { style: 'long', zone: 'UTC' } } : block,
        ),
      }),
      'text as a string or as a block': (all) => ({
        system: [{ type: 'text', text: bound.system }],
        messages: rewrite(all, 0, (block) => block),
      }),
      'a result as a string or as blocks': (all) => ({
        messages: rewrite(all, 2, (block) =>
          block.type === 'tool_result'
            ? { ...block, content: [{ type: 'text', text: block.content as string }], is_error: false }
            : block,
        ),
      }),
      'one turn in several messages': (all) => ({
        messages: all.flatMap((message) =>
          blocksOf(message).map((block) => ({ role: message.role, content: [block] }) as BetaMessageParam),
        ),
      }),
    }),
  )('[K12] leaves thinking valid: %s', async (_, edit) => {
    const { client } = await simulate({ model })
    const messages = await history(client)
    await client.beta.messages.create({ ...bound, messages, ...edit(messages) })
    const edited = { ...bound, messages, ...edit(messages), system: 'Be long.' }
    expect((await rejection(client.beta.messages.create(edited))).apiMessage).toContain(MISMATCH)
  })

  it("[K12] leaves thinking valid: the order of keys in an image's source", async () => {
    const { client } = await simulate({ model })
    const data = 'iVBORw0KGgo='
    const picture = (source: object) =>
      asked([{ type: 'image', source: source as Anthropic.Beta.BetaBase64ImageSource }])
    const first = picture({ type: 'base64', media_type: 'image/png', data })
    const answer = await client.beta.messages.create({ ...bound, messages: [first] })
    const send = (source: object) =>
      client.beta.messages.create({ ...bound, messages: [picture(source), answered(answer), asked('Two')] })
    await send({ data, media_type: 'image/png', type: 'base64' })
    const other = send({ type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgoA' })
    expect((await rejection(other)).apiMessage).toContain(MISMATCH)
  })
})

describe('Appending and removing', () => {
  const deferred = { ...clock, name: 'calendar', defer_loading: true }

  it.each(
    edits({
      'messages that follow': (all) => ({ messages: [...all, asked('And four')] }),
      'a deferred tool that nothing refers to': () => ({ tools: [deferred, ...bound.tools] }),
      'thinking removed from the start': (all) => ({ messages: without(all, ...thinkingIn(all).slice(0, 1)) }),
      'more of it removed from the start': (all) => ({ messages: without(all, ...thinkingIn(all).slice(0, 2)) }),
      'thinking removed from the end': (all) => ({ messages: without(all, ...thinkingIn(all).slice(2)) }),
      'more of it removed from the end': (all) => ({ messages: without(all, ...thinkingIn(all).slice(1)) }),
      'all thinking removed': (all) => ({ messages: without(all, ...thinkingIn(all)) }),
    }),
  )('[K13] is no edit: %s', async (_, edit) => {
    const { client } = await simulate({ model })
    const messages = await history(client)
    const request = { ...bound, messages, ...edit(messages) }
    const { content } = await client.beta.messages.create(request)
    await client.beta.messages.create({
      ...request,
      messages: [...request.messages, answered({ content }), asked('On')],
    })
  })

  it('[K13] is an edit: thinking removed in the middle', async () => {
    const { client } = await simulate({ model })
    const messages = await history(client)
    const edited = without(messages, ...thinkingIn(messages).slice(1, 2))
    const error = await rejection(client.beta.messages.create({ ...bound, messages: edited }))
    expect(error.apiMessage).toContain(`messages.5.content.0: ${MISMATCH}`)
  })

  it.each([
    ['all of it', 0, 3],
    ['the first', 0, 1],
    ['the last', 2, 3],
  ])('[K13] is an edit: thinking brought back once %s was removed', async (_, from, to) => {
    const { client } = await simulate({ model })
    const messages = await history(client)
    const fewer = without(messages, ...thinkingIn(messages).slice(from, to))
    const answer = answered(await client.beta.messages.create({ ...bound, messages: fewer }))
    const send = (all: BetaMessageParam[]) =>
      client.beta.messages.create({ ...bound, messages: [...all, answer, asked('Four')] })
    await send(fewer)
    const error = await rejection(send(messages))
    expect(error.apiMessage).toContain(`messages.7.content.0: ${MISMATCH}`)
  })
})

describe('Thinking of another model or organisation', () => {
  const NEWER = 'claude-fable-5-1'

  it('[K14] is dropped unbilled by an older model, and kept by a newer one', async () => {
    const { client } = await simulate({ model })
    const send = (id: string, messages: BetaMessageParam[]) =>
      client.beta.messages.create({ ...bound, model: id, messages, betas: [BINDING] })
    const newer = [...(await converse(client, { ...bound, model: NEWER }, ['One'])), asked('Two')]
    const back = await send(bound.model, newer)
    expect(back.input_transformations).toEqual([
      { type: 'thinking_dropped', path: 'messages.1.content.0', reason: 'model_binding_mismatch' },
    ])
    const bare = await send(bound.model, without(newer, ...thinkingIn(newer)))
    expect(back.usage.input_tokens).toBe(bare.usage.input_tokens)

    const older = [...(await converse(client, bound, ['One'])), asked('Two')]
    const ahead = await send(NEWER, older)
    expect(ahead.input_transformations).toEqual([])
    const without1 = await send(NEWER, without(older, ...thinkingIn(older)))
    expect(ahead.usage.input_tokens).toBeGreaterThan(without1.usage.input_tokens)
  })

  it('[K14] does not get in the way when the newer model takes over again', async () => {
    const { client } = await simulate({ model })
    const newer = [...(await converse(client, { ...bound, model: NEWER }, ['One'])), asked('Two')]
    const older = await client.beta.messages.create({ ...bound, messages: newer })
    const messages = [...newer, answered(older), asked('Three')]
    const again = await client.beta.messages.create({ ...bound, model: NEWER, messages, betas: [BINDING] })
    expect(again.input_transformations).toEqual([])
  })

  it('[K14] is dropped unbilled in another organisation', async () => {
    const { connect } = await simulate({ model, accounts: { own: {}, other: { organization: 'another' } } })
    const [own, other] = [connect({ apiKey: 'own' }), connect({ apiKey: 'other' })]
    const messages = [...(await converse(own, bound, ['One'])), asked('Two')]
    const params = { ...bound, messages, betas: [BINDING] }
    expect((await own.beta.messages.create(params)).input_transformations).toEqual([])
    const { input_transformations, usage } = await other.beta.messages.create(params)
    expect(input_transformations).toEqual([
      { type: 'thinking_dropped', path: 'messages.1.content.0', reason: 'organization_binding_mismatch' },
    ])
    const bare = without(messages, ...thinkingIn(messages))
    expect(usage.input_tokens).toBe((await other.beta.messages.create({ ...bound, messages: bare })).usage.input_tokens)
  })
})

describe('Edits by the server', () => {
  it('[K15] are no edits: clearing of results and of thinking', async () => {
    const { client } = await simulate({ model })
    const params = {
      ...bound,
      betas: ['context-management-2025-06-27'],
      context_management: {
        edits: [
          { type: 'clear_thinking_20251015' as const, keep: { type: 'thinking_turns' as const, value: 1 } },
          {
            type: 'clear_tool_uses_20250919' as const,
            trigger: { type: 'tool_uses' as const, value: 1 },
            keep: { type: 'tool_uses' as const, value: 0 },
          },
        ],
      },
    }
    const messages = await converse(client, params, ['Use it', 'Use it again', 'Three'])
    const last = { ...params, messages: [...messages, asked('Four')] }
    const { context_management } = await client.beta.messages.create(last)
    expect(context_management?.applied_edits.map(({ type }) => type)).toEqual([
      'clear_thinking_20251015',
      'clear_tool_uses_20250919',
    ])
    await client.beta.messages.create({ ...bound, messages: last.messages })
    const edited = { ...last, messages: replaced(last.messages, 0, asked('Use that')) }
    expect((await rejection(client.beta.messages.create(edited))).apiMessage).toContain(MISMATCH)
  })
})

describe('Block binding', () => {
  it('[K16] is an unknown field without its header', async () => {
    const { client } = await simulate({ model })
    const ask = { ...bound, messages: [asked('One')], thinking: DROP }
    await client.beta.messages.create({ ...ask, betas: [BINDING] })
    expect((await rejection(client.beta.messages.create(ask))).apiMessage).toBe(
      'thinking.adaptive.block_binding: Extra inputs are not permitted',
    )
  })

  it('[K17] is checked when tokens are counted', async () => {
    const { client } = await simulate({ model })
    const messages = replaced(await history(client), 0, asked('Use the clack'))
    const { max_tokens: _, ...params } = bound
    const count = (more: object) => client.beta.messages.countTokens({ ...params, messages, ...more })
    expect((await rejection(count({}))).apiMessage).toContain(`messages.1.content.0: ${MISMATCH}`)
    const bare = await count({ messages: without(messages, ...thinkingIn(messages)) })
    expect(await count({ thinking: DROP, betas: [BINDING] })).toEqual(bare)
    const forged = [{ type: 'thinking' as const, thinking: '', signature: 'forged' }]
    const error = await rejection(
      count({ messages: [asked('One'), { role: 'assistant', content: forged }, asked('Two')] }),
    )
    expect(error.apiMessage).toBe('messages.1.content.0: Invalid `signature` in `thinking` block')
    expect((await rejection(count({ thinking: { type: 'disabled' } }))).apiMessage).toContain(
      '"thinking.type.disabled"',
    )
  })
})
