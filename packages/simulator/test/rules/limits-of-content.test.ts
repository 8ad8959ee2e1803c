import { describe, expect, it } from 'vitest'
import {
  ask,
  askBeta,
  assistant,
  call,
  MARKED,
  refusal,
  result,
  system,
  text,
  tool,
  user,
} from '../support/requests.js'
import { rejection, send, simulate } from '../support/simulate.js'

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }
const images = (count: number) => [user(Array.from({ length: count }, () => image))]
const CLEAR_AT = 'mid-conversation-system-clear-at-2026-08-21'
const TOOL_CHANGES = 'mid-conversation-tool-changes-2026-07-01'

describe('Limits of what a request may hold', () => {
  it('[H9] refuses a version that it does not know', async () => {
    const { simulator } = await simulate()
    const { status, body } = await send(simulator, ask(), { 'anthropic-version': '2024-01-01' })
    expect([status, body.error?.message]).toEqual([400, 'anthropic-version: "2024-01-01" is not a valid version'])
  })

  it.each([
    ['claude-opus-5-5', 600],
    ['claude-haiku-4-5', 100],
  ])('[H10] takes so many images on %s and not one more: %i', async (model, limit) => {
    const { client } = await simulate({
      models: [{ id: 'roomy', like: model, window: model.includes('haiku') ? 200_000 : 10_000_000 }],
    })
    await client.messages.create(ask({ model: 'roomy', messages: images(limit) }))
    expect(await refusal(client.messages.create(ask({ model: 'roomy', messages: images(limit + 1) })))).toBe(
      `messages: too many images and documents: ${limit + 1} > ${limit}`,
    )
  })

  it('[H10] counts images inside results, and no plain text', async () => {
    const { client } = await simulate()
    const full = Array.from({ length: 601 }, () => image)
    const plain = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' } }
    const looked = (content: readonly unknown[]) => [
      user('hi'),
      assistant([call('toolu_A')]),
      user([result('toolu_A', content)]),
    ]
    expect(await refusal(client.messages.create(ask({ messages: looked(full) })))).toContain('601 > 600')
    await client.messages.create(ask({ messages: looked(full.map(() => plain)) }))
  })

  it('[F7] asks for the header of a fast answer, of a budget and of updates', async () => {
    const { client } = await simulate()
    const fast = { speed: 'fast' }
    expect(await refusal(client.messages.create(ask(fast)))).toContain('fast-mode-2026-02-01')
    await client.beta.messages.create(askBeta(['fast-mode-2026-02-01'], fast))
    const budget = { output_config: { task_budget: { type: 'tokens', total: 1000 } } }
    expect(await refusal(client.messages.create(ask(budget)))).toBe(
      'output_config.task_budget: Extra inputs are not permitted',
    )
    await client.beta.messages.create(askBeta(['task-budgets-2026-03-13'], budget))
    const updates = { thinking: { type: 'adaptive', display: 'updates' } }
    expect(await refusal(client.messages.create(ask(updates)))).toBe(
      "thinking.adaptive.display: Input should be 'summarized' or 'omitted'",
    )
    await client.beta.messages.create(askBeta(['thinking-display-updates-2026-08-18'], updates))
  })

  it('[M11] takes text alone in a message that is to be cleared', async () => {
    const { client } = await simulate()
    const passing = (content: readonly unknown[]) =>
      client.beta.messages.create(
        askBeta([CLEAR_AT, TOOL_CHANGES], {
          tools: [tool('look')],
          messages: [user('hi'), system(content, { clear_at: 'next_user_message' })],
        }),
      )
    await passing([text('soon gone')])
    expect(await refusal(passing([text('soon gone', MARKED)]))).toContain('cache_control: not permitted')
    const removal = { type: 'tool_removal', tool: { type: 'tool_reference', name: 'look' } }
    expect(await refusal(passing([removal]))).toContain('can only hold text')
  })

  it.each([
    ['a call', 'user', call('toolu_A'), '`tool_use` blocks can only be specified in `assistant` messages'],
    ['an image', 'assistant', image, '`image` blocks can only be specified in `user` messages'],
    ['a result', 'assistant', result('toolu_A'), '`tool_result` blocks can only be specified in `user` messages'],
  ])('[M12] refuses %s of the %s', async (_, role, block, message) => {
    const { client } = await simulate()
    const messages = role === 'user' ? [user([block])] : [user('hi'), assistant([block]), user('hi')]
    expect(await refusal(client.messages.create(ask({ messages })))).toContain(message)
  })

  it("[P7] refuses a server tool's result without its call", async () => {
    const { client } = await simulate()
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
    await client.messages.create(ask({ messages: [user('hi'), assistant([search, found, text('so')]), user('and?')] }))
    expect(
      await refusal(
        client.messages.create(ask({ messages: [user('hi'), assistant([found, text('so')]), user('and?')] })),
      ),
    ).toBe(
      'messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_1. Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.',
    )
  })

  it('[T2] refuses to force a tool that is not there', async () => {
    const { client } = await simulate()
    const forced = (name: string) =>
      client.messages.create(
        ask({ model: 'claude-opus-5', tools: [tool('look')], tool_choice: { type: 'tool', name } }),
      )
    await forced('look')
    expect(await refusal(forced('leap'))).toBe("Tool 'leap' not found in provided tools")
  })

  it('[T5] refuses a marker on a deferred tool', async () => {
    const { client } = await simulate()
    const tools = (more: object) => ({ tools: [tool('look'), tool('later', { defer_loading: true, ...more })] })
    await client.messages.create(ask(tools({})))
    expect(await refusal(client.messages.create(ask(tools(MARKED))))).toContain('tools.1.custom.cache_control')
  })

  it('[N4] tells which model goes, and when', async () => {
    const { client } = await simulate()
    expect(await client.models.retrieve('claude-sonnet-4-5')).toMatchObject({
      lifecycle: 'deprecated',
      retires_at: '2026-11-30T00:00:00Z',
    })
    expect(await client.models.retrieve('claude-opus-5-5')).toMatchObject({ lifecycle: 'active', retires_at: null })
    expect((await rejection(client.models.retrieve('claude-none'))).status).toBe(404)
  })
})
