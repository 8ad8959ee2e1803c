import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import {
  ask,
  askBeta,
  assistant,
  call,
  count,
  countBeta,
  inputOf,
  MARKED,
  refusal,
  result,
  system,
  text,
  tool,
  user,
  watchedModel,
} from '../support/requests.js'
import { rejection, simulate, words } from '../support/simulate.js'

const EMPTY = 'all messages must have non-empty content except for the optional final assistant message'
const NO_PREFILL =
  'This model does not support assistant message prefill. The conversation must end with a user message.'
const CLEAR_AT = 'mid-conversation-system-clear-at-2026-08-21'
const OUTPUT_CONFIG = 'mid-conversation-output-config-2026-07-01'
const TOOL_CHANGES = 'mid-conversation-tool-changes-2026-07-01'
const INLINE_TOOLS = 'inline-tools-2026-09-15'

const searched = [
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_regex', input: { pattern: 'x' } },
  {
    type: 'tool_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { type: 'tool_search_tool_search_result', tool_references: [] },
  },
]
const reference = (name: string) => ({ type: 'tool_reference', name })
const adding = (name: string) => ({ type: 'tool_addition', tool: reference(name) })
const removing = (name: string) => ({ type: 'tool_removal', tool: reference(name) })
const defining = (name: string) => ({
  type: 'tool_addition',
  tool: { type: 'tool_definition', definition: tool(name) },
})

describe('Messages and roles', () => {
  it('[M1] reads messages of one role in a row as one turn', async () => {
    const { model, turns } = watchedModel()
    const { client } = await simulate({ model })
    const apart = [user('a'), user('b'), assistant('c'), assistant('d'), user('e')]
    await client.messages.create(ask({ messages: apart }))
    const merged = [user([text('a'), text('b')]), assistant([text('c'), text('d')]), user([text('e')])]
    expect(turns[0]?.messages).toEqual(merged)
    const counts = [apart, merged].map((messages) => client.messages.countTokens(count({ messages })))
    const [first, second] = await Promise.all(counts)
    expect(first).toEqual(second)
  })

  it('[M1] finds the results of a turn in several messages', async () => {
    const { client } = await simulate()
    const calls = [assistant([call('toolu_1')]), assistant([call('toolu_2')])]
    const messages = [user('hi'), ...calls, user([result('toolu_1')]), user([result('toolu_2'), text('and?')])]
    await client.messages.create(ask({ messages }))
  })

  it('[M2] wants the first message from the user', async () => {
    const { client } = await simulate()
    const messages = [assistant('hello'), user('hi')]
    expect(await refusal(client.messages.create(ask({ messages })))).toBe(
      'messages: first message must use the "user" role',
    )
    await client.messages.create(ask({ messages: messages.toReversed().concat(user('hi')) }))
  })

  it('[M2] lets a signed summary open the conversation', async () => {
    const { client } = await simulate()
    const betas = ['compact-2026-09-04']
    const summary = await client.beta.messages.create(askBeta(betas, { compaction: { type: 'summarize' } }))
    const messages = [assistant(summary.content), user('go on')]
    expect((await client.beta.messages.create(askBeta(betas, { messages }))).stop_reason).toBe('end_turn')
  })

  it.each([
    ['a user message with no blocks', 0, [user([])]],
    ['a user message with an empty string', 0, [user('')]],
    ['a later user message', 2, [user('hi'), assistant('yes'), user([])]],
    ['an assistant message in the middle', 1, [user('hi'), assistant([]), user('hi')]],
  ])('[M3] refuses an empty message: %s', async (_, place, messages) => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask({ messages })))).toBe(`messages.${place}: ${EMPTY}`)
  })

  it.each([[[]], ['']])('[M3] takes %j as the last message of the assistant', async (content) => {
    const { client } = await simulate()
    await client.messages.create(ask({ messages: [user('hi'), assistant(content)] }))
  })

  it.each([
    ['a message', { messages: [user([text('')])] }, 'messages: text content blocks must be non-empty'],
    ['the system prompt', { system: [text('')] }, 'system: text content blocks must be non-empty'],
    [
      'a result',
      { messages: [user('hi'), assistant([call('toolu_1')]), user([result('toolu_1', [text('')])])] },
      'messages: text content blocks must be non-empty',
    ],
  ])('[M4] refuses empty text in %s', async (_, changes, message) => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask(changes)))).toBe(message)
  })

  it.each([' ', '\n\t ', '\n\n'])('[M4] refuses the text %j, which is only white space', async (blank) => {
    const { client } = await simulate()
    const told = /text content blocks must contain non-whitespace text$/
    for (const content of [blank, [text(blank)], [text('hi'), text(blank)]]) {
      expect(await refusal(client.messages.create(ask({ messages: [user(content)] })))).toMatch(told)
    }
    await client.messages.create(ask({ messages: [user(`${blank}hi${blank}`)] }))
  })

  it.each([
    'claude-opus-4-6',
    'claude-sonnet-4-6',
    'claude-opus-4-7',
    'claude-opus-4-8',
    'claude-opus-5',
    'claude-sonnet-5',
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'claude-fable-5-1',
  ])('[M5] refuses words in the mouth of %s', async (model) => {
    const { client } = await simulate()
    const messages = [user('hi'), assistant('I say')]
    expect(await refusal(client.messages.create(ask({ model, messages })))).toBe(NO_PREFILL)
    await client.messages.create(ask({ model, messages: [...messages, user('hi')] }))
  })

  it.each(['claude-opus-4-5', 'claude-haiku-4-5'])('[M5] takes words in the mouth of %s', async (model) => {
    const { client } = await simulate()
    await client.messages.create(ask({ model, messages: [user('hi'), assistant('I say')] }))
  })

  it('[M5] takes a turn of the assistant that the server left open', async () => {
    const { client } = await simulate()
    await client.messages.create(ask({ messages: [user('hi'), assistant(searched)] }))
  })

  it.each([
    'claude-fable-5',
    'claude-fable-5-1',
    'claude-mythos-5',
    'claude-opus-4-8',
    'claude-opus-5',
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
  ])('[M6] takes a system message for %s', async (model) => {
    const { client } = await simulate()
    await client.messages.create(ask({ model, messages: [user('hi'), system('be brief')] }))
  })

  it.each(['claude-sonnet-5', 'claude-opus-4-7', 'claude-opus-4-6', 'claude-sonnet-4-6', 'claude-haiku-4-5'])(
    '[M6] refuses a system message for %s',
    async (model) => {
      const { client } = await simulate()
      expect(await refusal(client.messages.create(ask({ model, messages: [user('hi'), system('be brief')] })))).toMatch(
        /^messages\.1\.role: .*not supported for this model/,
      )
    },
  )

  it.each([
    ['last, after a user message', [user('hi'), system('s')]],
    ['between user and assistant', [user('hi'), system('s'), assistant('yes'), user('hi')]],
    ['after results', [user('hi'), assistant([call('toolu_1')]), user([result('toolu_1')]), system('s')]],
    ['after another one', [user('hi'), system('s'), system('t')]],
    ["after a server tool's result", [user('hi'), assistant(searched), system('s')]],
  ])('[M7] takes a system message %s', async (_, messages) => {
    const { client } = await simulate()
    await client.messages.create(ask({ messages }))
  })

  it.each([
    ['first', 0, [system('s'), user('hi')]],
    ['after words of the assistant', 2, [user('hi'), assistant('yes'), system('s')]],
    ['before a user message', 1, [user('hi'), system('s'), user('hi')]],
    [
      'between a call and its result',
      2,
      [user('hi'), assistant([call('toolu_1')]), system('s'), user([result('toolu_1')])],
    ],
    [
      "between a server tool's result and a user message",
      2,
      [user('hi'), assistant(searched), system('s'), user('hi')],
    ],
  ])('[M7] refuses a system message %s', async (_, place, messages) => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask({ messages })))).toMatch(
      new RegExp(`^messages\\.${place}: a \`system\` message must`),
    )
  })

  it('[M8] does not know clear_at without its header', async () => {
    const { client } = await simulate()
    const messages = [user('hi'), system('be brief', { clear_at: 'next_user_message' })]
    expect(await refusal(client.messages.create(ask({ messages })))).toBe(
      'messages.1.clear_at: Extra inputs are not permitted',
    )
    await client.beta.messages.create(askBeta([CLEAR_AT], { messages }))
  })

  it.each([
    ['a word', [assistant('yes'), user('go on')]],
    ['a result', [assistant([call('toolu_1')]), user([result('toolu_1')])]],
  ])('[M8] bills a message that is cleared until the user sends %s, and no longer', async (_, next) => {
    const { client } = await simulate()
    const countOf = async (...messages: unknown[]) =>
      (await client.beta.messages.countTokens(countBeta([CLEAR_AT], { messages }))).input_tokens
    const cleared = system(words(200), { clear_at: 'next_user_message' })
    const kept = system(words(200), { clear_at: 'never' })
    expect(await countOf(user('hi'), cleared)).toBe(await countOf(user('hi'), kept))
    expect(await countOf(user('hi'), cleared, ...next)).toBe(await countOf(user('hi'), ...next))
    expect(await countOf(user('hi'), kept, ...next)).toBeGreaterThan((await countOf(user('hi'), ...next)) + 200)
  })

  it('[M8] no longer shows a cleared message to the model', async () => {
    const { model, turns } = watchedModel()
    const { client } = await simulate({ model })
    const cleared = system('be brief', { clear_at: 'next_user_message' })
    await client.beta.messages.create(askBeta([CLEAR_AT], { messages: [user('hi'), cleared] }))
    const later = [user('hi'), cleared, assistant('yes'), user('go on')]
    await client.beta.messages.create(askBeta([CLEAR_AT], { messages: later }))
    expect(turns.map((turn) => turn.messages.map((message) => message.role))).toEqual([
      ['user', 'system'],
      ['user', 'assistant', 'user'],
    ])
  })

  it('[M9] does not know an effort in a message without its header', async () => {
    const { client } = await simulate()
    const messages = [user('hi'), system('think', { output_config: { effort: 'high' } })]
    expect(await refusal(client.messages.create(ask({ messages })))).toBe(
      'messages.1.output_config: Extra inputs are not permitted',
    )
    await client.beta.messages.create(askBeta([OUTPUT_CONFIG], { messages }))
  })

  it('[M9] lets a message that sets the effort be empty, and no other', async () => {
    const { client } = await simulate()
    const request = (more: Record<string, unknown>) =>
      client.beta.messages.create(askBeta([OUTPUT_CONFIG], { messages: [user('hi'), system([], more)] }))
    await request({ output_config: { effort: 'low' } })
    for (const more of [{}, { output_config: {} }]) expect(await refusal(request(more))).toBe(`messages.1: ${EMPTY}`)
  })

  it('[M9] keeps the cache of what stands before a change of effort', async () => {
    const { client } = await simulate()
    const long = user([text(words(1000), MARKED)])
    const first = await client.beta.messages.create(askBeta([], { messages: [long] }))
    const written = first.usage.cache_creation_input_tokens
    expect(written).toBeGreaterThan(0)
    const effort = { effort: 'low' }
    const inMessage = { messages: [long, system([], { output_config: effort })] }
    const kept = await client.beta.messages.create(askBeta([OUTPUT_CONFIG], inMessage))
    expect(kept.usage.cache_read_input_tokens).toBe(written)
    const onTop = await client.beta.messages.create(askBeta([], { messages: [long], output_config: effort }))
    expect(onTop.usage.cache_read_input_tokens).toBe(0)
  })

  it('[M10] offers the tools that messages add and takes back those they remove', async () => {
    const { model, turns } = watchedModel()
    const { client } = await simulate({ model })
    const tools = [tool('look'), tool('listen'), tool('later', { defer_loading: true })]
    const offered = async (...messages: unknown[]) => {
      await client.beta.messages.create(askBeta([TOOL_CHANGES, INLINE_TOOLS], { tools, messages }))
      return turns.at(-1)?.tools.map(({ name }) => name)
    }
    expect(await offered(user('hi'))).toEqual(['look', 'listen'])
    expect(await offered(user('hi'), system([removing('look')]))).toEqual(['listen'])
    const back = [system([removing('look')]), assistant('yes'), user('hi'), system([adding('look')])]
    expect(await offered(user('hi'), ...back)).toEqual(['look', 'listen'])
    expect(await offered(user('hi'), system([adding('later')]))).toEqual(['look', 'listen', 'later'])
    expect(await offered(user('hi'), system([defining('new')]))).toEqual(['look', 'listen', 'new'])
  })

  it('[M10] needs a header for changes, and another for definitions', async () => {
    const { client } = await simulate()
    const request = (betas: string[], change: unknown) => {
      const messages = [user('hi'), system([change])]
      return client.beta.messages.create(askBeta(betas, { tools: [tool('look')], messages }))
    }
    for (const change of [adding('look'), removing('look'), defining('new')]) {
      expect(await refusal(request([], change))).toMatch(/^messages\.1\.content\.0: Input tag 'tool_\w+' found/)
    }
    await request([TOOL_CHANGES], adding('look'))
    expect(await refusal(request([TOOL_CHANGES], defining('new')))).toContain(INLINE_TOOLS)
    await request([TOOL_CHANGES, INLINE_TOOLS], defining('new'))
  })

  it.each([
    ['tool_reference_unresolved', adding('nothing')],
    ['tool_reference_unresolved', removing('nothing')],
    ['tool_name_conflict', defining('look')],
  ])('[M10] answers with the code %s', async (code, change) => {
    const { client } = await simulate()
    const changes = { tools: [tool('look')], messages: [user('hi'), system([change])] }
    const error = await rejection(client.beta.messages.create(askBeta([TOOL_CHANGES, INLINE_TOOLS], changes)))
    expect([error.status, error.errorCode]).toEqual([400, code])
  })

  it('[M10] leaves the cached prefix as it is', async () => {
    const { client } = await simulate()
    const long = user([text(words(1000), MARKED)])
    const request = (...more: unknown[]): PromiseLike<Anthropic.Beta.BetaMessage> =>
      client.beta.messages.create(askBeta([TOOL_CHANGES], { tools: [tool('look')], messages: [long, ...more] }))
    const first = await request()
    const changed = await request(system([removing('look')]))
    expect(changed.usage.cache_read_input_tokens).toBe(inputOf(first.usage))
  })
})
