import { describe, expect, it } from 'vitest'
import { type ModelTurn, type Reply, scripted } from '../../src/index.js'
import { ask, assistant, call, count, inputOf, MARKED, refusal, result, text, tool, user } from '../support/requests.js'
import { rejection, simulate, words } from '../support/simulate.js'

const look = tool('look')
const any = { tools: [look], tool_choice: { type: 'any' } }
const named = { tools: [look], tool_choice: { type: 'tool', name: 'look' } }
const searchTool = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }
const deferred = (name: string) => tool(name, { description: words(100, name), defer_loading: true })
const toolReference = (tool_name: string) => ({ type: 'tool_reference', tool_name })
const referring = (...names: string[]) => [
  user('hi'),
  assistant([call('toolu_1')]),
  user([result('toolu_1', names.map(toolReference))]),
]

/** A model that calls a search tool, and says what it may call once it has an answer. */
function searching(name: string, input: Record<string, string | number>) {
  return scripted(({ messages, tools }: ModelTurn): Reply => {
    const isAnswered = messages.at(-1)?.role === 'assistant'
    return { content: [isAnswered ? tools.map((each) => each.name).join() : { type: 'server_tool_use', name, input }] }
  })
}

describe('Tools', () => {
  it('[T1] wants unique names', async () => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask({ tools: [look, tool('listen'), look] })))).toBe(
      'tools: Tool names must be unique.',
    )
    await client.messages.create(ask({ tools: [look, tool('listen')] }))
  })

  it.each(['', 'look up', 'look.up', 'lóok', 'a'.repeat(65)])('[T1] refuses the name %j', async (name) => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask({ tools: [tool(name)] })))).toBe(
      "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
    )
  })

  it.each(['a', 'Look_up-2', 'a'.repeat(64)])('[T1] takes the name %j', async (name) => {
    const { client } = await simulate()
    await client.messages.create(ask({ tools: [tool(name)] }))
  })

  it.each(['auto', 'none'])('[T2] takes tool_choice %s only with tools', async (type) => {
    const { client } = await simulate()
    for (const tools of [undefined, []]) {
      expect(await refusal(client.messages.create(ask({ tools, tool_choice: { type } })))).toBe(
        'tool_choice may only be specified while providing tools.',
      )
    }
    await client.messages.create(ask({ tools: [look], tool_choice: { type } }))
  })

  it.each(['claude-fable-5-1', 'claude-opus-5-5', 'claude-sonnet-5-5'])(
    '[T3] refuses a forced choice for %s',
    async (model) => {
      const { client } = await simulate()
      for (const forced of [any, named]) {
        expect(await refusal(client.messages.create(ask({ model, ...forced })))).toBe(
          'tool_choice: type "tool" and "any" are not supported for this model.',
        )
      }
      await client.messages.create(ask({ model, tools: [look], tool_choice: { type: 'auto' } }))
    },
  )

  it.each(['claude-fable-5', 'claude-opus-5', 'claude-haiku-5-5', 'claude-sonnet-5', 'claude-haiku-4-5'])(
    '[T3] takes a forced choice for %s',
    async (model) => {
      const { client } = await simulate()
      await client.messages.create(ask({ model, ...any }))
      await client.messages.create(ask({ model, ...named }))
    },
  )

  it('[T3] refuses a forced choice together with a thinking budget', async () => {
    const { client } = await simulate()
    const thinking = { type: 'enabled', budget_tokens: 1024 }
    const request = (more: Readonly<Record<string, unknown>>) =>
      client.messages.create(ask({ model: 'claude-sonnet-4-6', max_tokens: 2000, ...more }))
    for (const forced of [any, named]) expect(await refusal(request({ ...forced, thinking }))).toMatch(/tool_choice/)
    await request({ tools: [look], thinking })
    await request({ ...any, thinking: { type: 'adaptive' } })
  })

  it.each([
    ['claude-opus-5', 286, 406],
    ['claude-opus-4-8', 290, 410],
    ['claude-opus-4-7', 675, 804],
    ['claude-opus-4-6', 497, 589],
    ['claude-sonnet-4-6', 497, 589],
    ['claude-opus-4-5', 496, 588],
    ['claude-haiku-4-5', 496, 588],
    ['claude-sonnet-5', 354, 474],
  ])('[T4] adds a prompt to the tools of %s: %i tokens, %i with a forced choice', async (model, free, forced) => {
    const { client } = await simulate()
    const countOf = async (more: Readonly<Record<string, unknown>>) =>
      (await client.messages.countTokens(count({ model, ...more }))).input_tokens
    const none = await countOf({})
    const one = await countOf({ tools: [tool('tool_a')] })
    const two = await countOf({ tools: [tool('tool_a'), tool('tool_b')] })
    expect(one - none - (two - one)).toBe(free)
    expect(await countOf({ tools: [tool('tool_a')], tool_choice: { type: 'none' } })).toBe(one)
    for (const choice of [{ type: 'any' }, { type: 'tool', name: 'tool_a' }]) {
      expect((await countOf({ tools: [tool('tool_a')], tool_choice: choice })) - one).toBe(forced - free)
    }
  })

  it('[T5] wants one tool that is not deferred', async () => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask({ tools: [deferred('a'), deferred('b')] })))).toBe(
      'At least one tool must have defer_loading=false. All tools cannot be deferred.',
    )
    await client.messages.create(ask({ tools: [searchTool, deferred('a')] }))
  })

  it('[T5] leaves a deferred tool out of the prompt until something refers to it', async () => {
    const { client } = await simulate()
    const tools = [look, deferred('later'), deferred('never')]
    const countOf = async (more: Readonly<Record<string, unknown>>) =>
      (await client.messages.countTokens(count(more))).input_tokens
    expect(await countOf({ tools })).toBe(await countOf({ tools: [look] }))
    const loaded = await countOf({ tools: [look, tool('later', { description: words(100, 'later') })] })
    const size = loaded - (await countOf({ tools: [look] }))
    const plain = await countOf({ tools, messages: referring('look') })
    const referred = await countOf({ tools, messages: referring('later') })
    expect(referred - plain).toBeGreaterThan(size - 5)
    expect(referred - plain).toBeLessThan(size + 5)
  })

  it('[T5] counts a deferred tool where it is referred to, behind what is cached', async () => {
    const { client } = await simulate()
    const tools = [look, deferred('later')]
    const [, called, answered] = referring('later')
    const long = user([text(words(1000), MARKED)])
    const first = await client.messages.create(ask({ tools, messages: [long] }))
    const referred = await client.messages.create(ask({ tools, messages: [long, called, answered] }))
    expect(referred.usage.cache_read_input_tokens).toBe(inputOf(first.usage))
    expect(referred.usage.input_tokens).toBeGreaterThan(100)
  })

  it('[T5] lets the model call a deferred tool once something referred to it', async () => {
    const { client } = await simulate({ model: scripted(({ tools }) => tools.map((each) => each.name).join()) })
    const tools = [look, deferred('later'), deferred('never')]
    const before = await client.messages.create(ask({ tools }))
    expect(before.content).toMatchObject([{ text: 'look' }])
    const after = await client.messages.create(ask({ tools, messages: referring('later') }))
    expect(after.content).toMatchObject([{ text: 'look,later' }])
  })

  it('[T6] refuses a reference to a tool that does not exist', async () => {
    const { client } = await simulate()
    const tools = [look, deferred('later')]
    const error = await rejection(client.messages.create(ask({ tools, messages: referring('later', 'gone') })))
    expect([error.status, error.apiMessage]).toEqual([400, "Tool reference 'gone' not found in available tools"])
    const tool_references = [toolReference('gone')]
    const found = [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: searchTool.name, input: { pattern: 'x' } },
      {
        type: 'tool_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: { type: 'tool_search_tool_search_result', tool_references },
      },
    ]
    expect(await refusal(client.messages.create(ask({ tools, messages: [user('hi'), assistant(found)] })))).toBe(
      "Tool reference 'gone' not found in available tools",
    )
    await client.messages.create(ask({ tools, messages: referring('later', 'look') }))
  })

  it.each([
    ['tool_search_tool_regex', { pattern: 'pearl_' }, 5],
    ['tool_search_tool_regex', { pattern: 'PEARL_[12]$|pearl_3 ' }, 1],
    ['tool_search_tool_regex', { pattern: 'pearl_', limit: 2 }, 2],
    ['tool_search_tool_bm25', { query: 'a pearl please' }, 5],
    ['tool_search_tool_bm25', { query: 'shell' }, 1],
  ])('[T7] answers a call of %s with %j by itself', async (name, input, found) => {
    const { client } = await simulate({ model: searching(name, input) })
    const pearls = Array.from({ length: 7 }, (_, index) => deferred(`pearl_${index}`))
    const tools = [{ type: `${name}_20251119`, name }, ...pearls, tool('shell', { defer_loading: true })]
    const answer = await client.messages.create(ask({ tools }))
    const [use, answered, last] = answer.content
    expect(answer.content).toHaveLength(3)
    expect(use).toMatchObject({ type: 'server_tool_use', name, input, id: expect.stringMatching(/^srvtoolu_01/) })
    const references = Array.from({ length: found }, () => ({ type: 'tool_reference', tool_name: expect.any(String) }))
    expect(answered).toMatchObject({
      type: 'tool_search_tool_result',
      tool_use_id: (use as { id: string }).id,
      content: { type: 'tool_search_tool_search_result', tool_references: references },
    })
    const { tool_references } = (answered as unknown as { content: { tool_references: { tool_name: string }[] } })
      .content
    const offered = [name, ...tool_references.map((each) => each.tool_name)]
    expect((last as { text: string }).text.split(',').toSorted()).toEqual(offered.toSorted())
    expect(answer.stop_reason).toBe('end_turn')
  })

  it('[T7] answers a pattern that is no regular expression with an error', async () => {
    const { client } = await simulate({ model: searching(searchTool.name, { pattern: '(' }) })
    const answer = await client.messages.create(ask({ tools: [searchTool, deferred('later')] }))
    expect(answer.content[1]).toMatchObject({ content: { type: 'tool_search_tool_result_error' } })
    expect(answer.stop_reason).toBe('end_turn')
  })

  it('[T8] streams a call that was cut as broken JSON', async () => {
    const input = { text: words(200) }
    const { client } = await simulate({ model: scripted(() => ({ type: 'tool_use', name: 'look', input })) })
    const streamed = async (max_tokens: number) => {
      let json = ''
      let stop: string | null = null
      for await (const event of await client.messages.create({ ...ask({ max_tokens, tools: [look] }), stream: true })) {
        if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta')
          json += event.delta.partial_json
        if (event.type === 'message_delta') stop = event.delta.stop_reason
      }
      return { json, stop }
    }
    const whole = JSON.stringify(input)
    expect(await streamed(5000)).toEqual({ json: whole, stop: 'tool_use' })
    const cut = await streamed(50)
    expect(cut.stop).toBe('max_tokens')
    expect(whole.startsWith(cut.json)).toBe(true)
    expect(cut.json.length).toBeGreaterThan(20)
    expect(() => JSON.parse(cut.json)).toThrow()
  })

  it('[T8] returns a call that was cut without streaming, and says so', async () => {
    const input = { text: words(200) }
    const { client } = await simulate({ model: scripted(() => ({ type: 'tool_use', name: 'look', input })) })
    const cut = await client.messages.create(ask({ max_tokens: 50, tools: [look] }))
    expect(cut).toMatchObject({ stop_reason: 'max_tokens', content: [{ type: 'tool_use', name: 'look' }] })
    expect(cut.content[0]).not.toHaveProperty('input.text', input.text)
    expect(cut.usage.output_tokens).toBeLessThanOrEqual(50)
    const whole = await client.messages.create(ask({ max_tokens: 5000, tools: [look] }))
    expect(whole).toMatchObject({ stop_reason: 'tool_use', content: [{ input }] })
  })
})
