import { beforeEach, describe, expect, it, vi } from 'vitest'
import { scripted } from '../../src/index.js'
import { callOf, clock, hello } from '../support/conversation.js'
import { rejection, simulate } from '../support/simulate.js'
import {
  answered,
  asked,
  blocksOf,
  converse,
  isThinking,
  ponder,
  replaced,
  thinkingIn,
  thought,
  without,
} from '../support/thinking.js'

const adaptive = { type: 'adaptive' as const }
const budget = { type: 'enabled' as const, budget_tokens: 1_024 }
const disabled = { type: 'disabled' as const }
const betweenTools = { type: 'between_tools' as const }
const TYPES = [adaptive, budget, disabled, betweenTools]

const advice = ' Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
const textFor = (type: string) =>
  type === 'adaptive'
    ? 'adaptive thinking is not supported on this model'
    : `"thinking.type.${type}" is not supported for this model.${advice}`

// The SDK warns of models that will retire.
beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
})

describe('Thinking settings', () => {
  it.each([
    ['claude-fable-5', ['adaptive']],
    ['claude-fable-5-1', ['adaptive']],
    ['claude-mythos-5', ['adaptive']],
    ['claude-opus-5-5', ['adaptive']],
    ['claude-sonnet-5-5', ['adaptive', 'between_tools']],
    ['claude-haiku-5-5', ['adaptive', 'disabled']],
    ['claude-opus-5', ['adaptive', 'disabled']],
    ['claude-sonnet-5', ['adaptive', 'disabled']],
    ['claude-opus-4-8', ['adaptive', 'disabled']],
    ['claude-opus-4-7', ['adaptive', 'disabled']],
    ['claude-opus-4-6', ['adaptive', 'enabled', 'disabled']],
    ['claude-sonnet-4-6', ['adaptive', 'enabled', 'disabled']],
    ['claude-opus-4-5', ['enabled', 'disabled']],
    ['claude-sonnet-4-5', ['enabled', 'disabled']],
    ['claude-haiku-4-5', ['enabled', 'disabled']],
  ])('[K1] takes on %s only %j', async (model, types) => {
    const { client } = await simulate()
    const ask = (thinking: (typeof TYPES)[number]) =>
      client.messages.create({ ...hello, model, max_tokens: 2_000, thinking })
    for (const thinking of TYPES) {
      if (types.includes(thinking.type)) await ask(thinking)
      else expect((await rejection(ask(thinking))).apiMessage).toBe(textFor(thinking.type))
    }
  })

  it.each([
    ['claude-opus-5-5', true],
    ['claude-haiku-5-5', true],
    ['claude-opus-5', true],
    ['claude-sonnet-5', true],
    ['claude-opus-4-8', false],
    ['claude-sonnet-4-6', false],
    ['claude-haiku-4-5', false],
  ])('[K1] has %s think by default: %s', async (model, byDefault) => {
    const { client } = await simulate({ model: scripted(ponder) })
    const { content } = await client.messages.create({ ...hello, model })
    expect(content.some(isThinking)).toBe(byDefault)
  })

  it('[K2] takes a budget from 1,024 tokens on that is below `max_tokens`', async () => {
    const { client } = await simulate()
    const ask = (budget_tokens: number, max_tokens: number) =>
      client.messages.create({
        ...hello,
        model: 'claude-sonnet-4-6',
        max_tokens,
        thinking: { type: 'enabled', budget_tokens },
      })
    await ask(1_024, 1_025)
    expect((await rejection(ask(1_023, 2_000))).apiMessage).toBe(
      'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
    )
    expect((await rejection(ask(1_024, 1_024))).apiMessage).toBe(
      '`max_tokens` must be greater than `thinking.budget_tokens`',
    )
  })

  it.each([
    ['claude-opus-5', disabled],
    ['claude-haiku-5-5', disabled],
    ['claude-sonnet-5-5', betweenTools],
  ])('[K3] refuses effort above high on %s together with %j', async (model, thinking) => {
    const { client } = await simulate()
    const ask = (effort: 'high' | 'xhigh' | 'max', type: typeof thinking | typeof adaptive) =>
      client.messages.create({ ...hello, model, thinking: type, output_config: { effort } })
    await ask('high', thinking)
    await ask('max', adaptive)
    for (const effort of ['xhigh', 'max'] as const) {
      expect((await rejection(ask(effort, thinking))).apiMessage).toContain(`"thinking.type.${thinking.type}"`)
    }
  })

  it('[K3] takes effort above high without thinking where the model does not mind', async () => {
    const { client } = await simulate()
    await client.messages.create({
      ...hello,
      model: 'claude-sonnet-5',
      thinking: disabled,
      output_config: { effort: 'max' },
    })
  })

  it('[K3] refuses effort on models that have none', async () => {
    const { client } = await simulate()
    const ask = (model: string) => client.messages.create({ ...hello, model, output_config: { effort: 'low' } })
    await ask('claude-opus-4-5')
    for (const model of ['claude-haiku-4-5', 'claude-sonnet-4-5']) {
      expect((await rejection(ask(model))).apiMessage).toBe('This model does not support the effort parameter.')
    }
  })

  it.each([
    ['claude-opus-4-7', undefined, ''],
    ['claude-opus-5-5', undefined, ''],
    ['claude-opus-4-6', undefined, 'Hm.'],
    ['claude-opus-5-5', 'summarized', 'Hm.'],
    ['claude-opus-4-6', 'omitted', ''],
  ] as const)(
    '[K4] shows on %s with display %s the text "%s", and a signature always',
    async (model, display, text) => {
      const { client } = await simulate({ model: scripted(() => [thought('Hm.'), 'Yes.']) })
      const params = { ...hello, model, thinking: { ...adaptive, ...(display && { display }) } }
      const { content, usage } = await client.messages.create(params)
      expect(content[0]).toEqual({ type: 'thinking', thinking: text, signature: expect.stringMatching(/^.{40,}$/) })
      expect(usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(0)

      const deltas: string[] = []
      for await (const event of await client.messages.create({ ...params, stream: true })) {
        if (event.type === 'content_block_delta' && event.index === 0) deltas.push(event.delta.type)
      }
      expect(deltas).toEqual(text ? ['thinking_delta', 'signature_delta'] : ['signature_delta'])
    },
  )
})

describe('Signatures', () => {
  const ask = { ...hello, model: 'claude-opus-5', max_tokens: 2_000 }

  it.each(['thinking', 'redacted_thinking'] as const)('[K5] refuses a %s block that it did not sign', async (type) => {
    const redacted = type === 'redacted_thinking'
    const model = scripted(() => [{ ...thought('Hm.'), redacted }, 'Yes.'])
    const { client } = await simulate({ model })
    const other = await simulate({ model, details: { secret: 'another' } })
    const sent = (message: Parameters<typeof answered>[0]) =>
      client.beta.messages.create({ ...ask, messages: [asked('Hello'), answered(message), asked('And now?')] })

    const own = await client.beta.messages.create(ask)
    expect(own.content[0]?.type).toBe(type)
    await sent(own)
    const foreign = await other.client.beta.messages.create(ask)
    expect((await rejection(sent(foreign))).apiMessage).toBe(
      `messages.1.content.0: Invalid \`signature\` in \`${type}\` block`,
    )
  })

  it('[K5] refuses a signature with one character changed', async () => {
    const { client } = await simulate({ model: scripted(ponder) })
    const messages = await converse(client, ask, ['Hello'])
    const [block] = thinkingIn(messages)
    if (block?.type !== 'thinking') throw new Error('no thinking')
    const forged = { ...block, signature: block.signature.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) }
    const request = (first: typeof block) => ({
      ...ask,
      messages: [asked('Hello'), { role: 'assistant' as const, content: [first] }, asked('More')],
    })
    await client.beta.messages.create(request(block))
    const error = await rejection(client.beta.messages.create(request(forged)))
    expect(error.apiMessage).toBe('messages.1.content.0: Invalid `signature` in `thinking` block')
  })
})

describe('Thinking in the latest assistant message', () => {
  const shown = {
    ...hello,
    model: 'claude-opus-5',
    max_tokens: 2_000,
    thinking: { ...adaptive, display: 'summarized' as const },
  }
  const modified = (path: string) =>
    `${path}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`

  it('[K6] refuses changed text there, and does not look at earlier messages', async () => {
    const { client } = await simulate({ model: scripted(ponder) })
    const messages = await converse(client, shown, ['One', 'Two'])
    const retold = (index: number) =>
      replaced(messages, index, {
        role: 'assistant',
        content: blocksOf(messages[index] ?? asked('')).map((block) =>
          block.type === 'thinking' ? { ...block, thinking: 'I thought of something else.' } : block,
        ),
      })
    const send = (history: typeof messages) =>
      client.beta.messages.create({ ...shown, messages: [...history, asked('Three')] })
    await send(messages)
    await send(retold(1))
    expect((await rejection(send(retold(3)))).apiMessage).toBe(modified('messages.3.content.0'))
  })

  it('[K6] ignores text where none was shown', async () => {
    const { client } = await simulate({ model: scripted(ponder) })
    const messages = await converse(client, { ...shown, thinking: adaptive }, ['One'])
    const filled = blocksOf(messages[1] ?? asked('')).map((block) =>
      block.type === 'thinking' ? { ...block, thinking: 'A text of my own.' } : block,
    )
    const send = (content: typeof filled) =>
      client.beta.messages.countTokens({
        model: shown.model,
        messages: [asked('One'), { role: 'assistant', content }, asked('Two')],
      })
    expect(await send(filled)).toEqual(await send(blocksOf(messages[1] ?? asked(''))))
  })

  it('[K6] refuses blocks in another order, and a missing one between them', async () => {
    const model = scripted(() => [thought('First.'), 'One.', thought('Second.'), 'Two.', thought('Third.'), 'Three.'])
    const { client } = await simulate({ model })
    const messages = await converse(client, shown, ['Go'])
    const [first, second, third] = thinkingIn(messages)
    if (!first || !second || !third) throw new Error('three thoughts expected')
    const swapped = blocksOf(messages[1] ?? asked('')).map((block) =>
      block === first ? second : block === second ? first : block,
    )
    const send = (history: typeof messages) =>
      client.beta.messages.create({ ...shown, messages: [...history, asked('More')] })
    await send(messages)
    await send(without(messages, first, second, third))
    const reordered = replaced(messages, 1, { role: 'assistant', content: swapped })
    expect((await rejection(send(reordered))).apiMessage).toBe(modified('messages.1.content.2'))
    expect((await rejection(send(without(messages, second)))).apiMessage).toBe(modified('messages.1.content.3'))
  })
})

describe('A turn that waits for results', () => {
  const tools = [clock]
  const manual = { model: 'claude-sonnet-4-6', max_tokens: 2_000, tools, thinking: budget }
  const result = (tool_use_id: string) => asked([{ type: 'tool_result', tool_use_id, content: 'Noon.' }])
  const call = (id: string) => ({ type: 'tool_use' as const, id, name: 'clock', input: {} })
  const bare = [asked('Use it'), { role: 'assistant' as const, content: [call('toolu_1')] }, result('toolu_1')]

  it('[K7] opens with thinking where it is enabled, and need not where it is adaptive', async () => {
    const { client } = await simulate()
    await client.beta.messages.create({ ...manual, thinking: adaptive, messages: bare })
    const error = await rejection(client.beta.messages.create({ ...manual, messages: bare }))
    expect(error.apiMessage).toBe(
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceding the lastmost set of `tool_use` and `tool_result` blocks).',
    )
  })

  it('[K7] needs its thinking once, however many calls follow', async () => {
    const { client } = await simulate({
      model: scripted([[thought('I need the time.'), callOf('clock')], callOf('clock'), 'Noon.']),
    })
    const messages = await converse(client, manual, ['Use it'])
    expect(messages.map(({ role }) => role).join()).toBe('user,assistant,user,assistant,user,assistant')
    const thoughtless = without(messages.slice(0, 5), ...thinkingIn(messages))
    const error = await rejection(client.beta.messages.create({ ...manual, messages: thoughtless }))
    expect(error.apiMessage).toContain('messages.3.content.0.type: Expected `thinking`')
  })
})

describe('Earlier thinking', () => {
  const plans = scripted(ponder)

  it.each(['claude-opus-5-5', 'claude-opus-4-6'])('[K8] stays in the prompt of %s and is billed', async (model) => {
    const { client } = await simulate({ model: plans })
    const params = { ...hello, model, thinking: adaptive }
    const first = await client.beta.messages.create(params)
    const messages = [asked('Hello'), answered(first), asked('And now?')]
    const bare = without(messages, ...thinkingIn(messages))
    const count = async (history: typeof messages) =>
      (await client.beta.messages.countTokens({ model, thinking: adaptive, messages: history })).input_tokens
    const spent = first.usage.output_tokens_details?.thinking_tokens ?? 0
    expect(spent).toBeGreaterThan(0)
    expect((await count(messages)) - (await count(bare))).toBe(spent)
    const { usage } = await client.beta.messages.create({ ...params, messages })
    expect(usage.input_tokens).toBe(await count(messages))
  })

  it.each(['claude-sonnet-4-5', 'claude-haiku-4-5'])(
    '[K8] leaves the prompt of %s when a person speaks',
    async (model) => {
      const { client } = await simulate({ model: plans })
      const params = { model, max_tokens: 2_000, tools: [clock], thinking: budget }
      const bill = async (messages: ReturnType<typeof without>) =>
        (await client.beta.messages.create({ ...params, thinking: disabled, messages })).usage.input_tokens
      const messages = await converse(client, params, ['Use it'])
      const waiting = messages.slice(0, 3)
      const spoken = [...messages, asked('And now?')]
      const [first] = thinkingIn(waiting)
      expect(await bill(waiting)).toBeGreaterThan(await bill(without(waiting, ...(first ? [first] : []))))
      expect(await bill(spoken)).toBe(await bill(without(spoken, ...thinkingIn(spoken))))
    },
  )
})
