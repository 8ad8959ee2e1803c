import { describe, expect, it } from 'vitest'
import { type ModelTurn, type Reply, type SearchAnswer, type SearchPage, scripted } from '../../src/index.js'
import { ask, assistant, refusal, user } from '../support/requests.js'
import { simulate } from '../support/simulate.js'

const TOOL = { type: 'web_search_20250305', name: 'web_search' }
const PAGES: readonly SearchPage[] = [
  { url: 'https://docs.example.com/pearl', title: 'Pearl', text: 'Nacre is layered.', age: 'May 2026' },
  { url: 'https://blog.example.org/shell', title: 'Shell', text: 'Shells are old.' },
]
const use = (query: string) => ({ type: 'server_tool_use', name: 'web_search', input: { query } })

/** Searches so often, each time for something else, then says what it found first, with its source. */
const searches = (times: number) =>
  scripted(({ messages }: ModelTurn): Reply => {
    const found = messages.at(-1)?.content.filter(({ type }) => type === 'web_search_tool_result') ?? []
    if (found.length < times) return { content: [use(`nacre ${found.length}`)] }
    const cited = { url: PAGES[0]?.url, title: 'Pearl', cited_text: 'Nacre is layered.' }
    return { content: [{ type: 'text', text: 'It is layered.', citations: [cited] }] }
  })

const withSearch = (search: (query: string) => SearchAnswer, times = 1) =>
  simulate({ model: searches(times), details: { search } })

describe('Web search', () => {
  it('[W1] answers a search in the same response, and the model goes on', async () => {
    const { client } = await withSearch(() => PAGES)
    const { content, stop_reason, usage } = await client.messages.create(ask({ tools: [TOOL] }))
    expect(content.map(({ type }) => type)).toEqual(['server_tool_use', 'web_search_tool_result', 'text'])
    const [call, found] = content
    expect(call).toMatchObject({ id: expect.stringMatching(/^srvtoolu_01/), input: { query: 'nacre 0' } })
    expect(found).toMatchObject({
      tool_use_id: (call as { id: string }).id,
      caller: { type: 'direct' },
      content: [
        { type: 'web_search_result', url: PAGES[0]?.url, title: 'Pearl', page_age: 'May 2026' },
        { type: 'web_search_result', url: PAGES[1]?.url, title: 'Shell', page_age: null },
      ],
    })
    expect(stop_reason).toBe('end_turn')
    expect(usage.server_tool_use).toEqual({ web_search_requests: 1, web_fetch_requests: 0 })
  })

  it('[W1] finds pages of its own where nobody says what is found, the same for the same words', async () => {
    const { client } = await simulate({ model: searches(1) })
    const found = async () => (await client.messages.create(ask({ tools: [TOOL] }))).content[1]
    const [first, second] = [await found(), await found()]
    expect(JSON.stringify(first)).toContain('nacre 0')
    expect((first as { content: unknown }).content).toEqual((second as { content: unknown }).content)
  })

  it('[W2] bills a search beside the tokens, and none that failed', async () => {
    const { client, exchanges } = await withSearch(
      (query) => (query === 'nacre 1' ? { error: 'unavailable' } : PAGES),
      2,
    )
    const { usage } = await client.messages.create(ask({ tools: [TOOL] }))
    expect(usage.server_tool_use?.web_search_requests).toBe(1)
    const { entry } = exchanges[0] as (typeof exchanges)[number]
    const tokens = (entry.input * 4 + entry.output * 20) / 1e6
    expect(entry.dollars).toBeCloseTo(tokens + 0.01, 10)
  })

  it('[W3] gives what went wrong as the content of the result', async () => {
    const { client } = await withSearch(() => ({ error: 'too_many_requests' }))
    const { content } = await client.messages.create(ask({ tools: [TOOL] }))
    expect(content[1]).toMatchObject({
      type: 'web_search_tool_result',
      content: { type: 'web_search_tool_result_error', error_code: 'too_many_requests' },
    })
    expect(content[2]).toMatchObject({ type: 'text' })
  })

  it('[W3] searches no more than max_uses allows', async () => {
    const asked: string[] = []
    const { client } = await withSearch((query) => {
      asked.push(query)
      return PAGES
    }, 3)
    const { content } = await client.messages.create(ask({ tools: [{ ...TOOL, max_uses: 2 }] }))
    expect(asked).toEqual(['nacre 0', 'nacre 1'])
    expect(content[5]).toMatchObject({ content: { error_code: 'max_uses_exceeded' } })
  })

  it.each([
    [{ allowed_domains: ['example.com'] }, ['https://docs.example.com/pearl']],
    [{ blocked_domains: ['example.com'] }, ['https://blog.example.org/shell']],
  ])('[W4] keeps to domains and what is below them: %j', async (domains, urls) => {
    const { client } = await withSearch(() => PAGES)
    const { content } = await client.messages.create(ask({ tools: [{ ...TOOL, ...domains }] }))
    expect((content[1] as { content: readonly { url: string }[] }).content.map(({ url }) => url)).toEqual(urls)
  })

  it.each([
    [{ name: 'search' }, "tools.0.web_search_20250305.name: Input should be 'web_search'"],
    [{ max_uses: 0 }, 'tools.0.web_search_20250305.max_uses: Input should be greater than or equal to 1'],
    [{ maxUses: 1 }, 'tools.0.web_search_20250305.maxUses: Extra inputs are not permitted'],
    [{ input_schema: { type: 'object' } }, 'tools.0.web_search_20250305.input_schema: Extra inputs are not permitted'],
    [
      { allowed_domains: ['a.com'], blocked_domains: ['b.com'] },
      'tools.0: only one of `allowed_domains` and `blocked_domains` may be given',
    ],
    [
      { allowed_domains: ['https://a.com'] },
      'tools.0: `https://a.com` is no domain: leave out the scheme, as in `example.com`',
    ],
  ])('[W5] checks the definition: %j', async (changes, message) => {
    const { client } = await simulate()
    expect(await refusal(client.messages.create(ask({ tools: [{ ...TOOL, ...changes }] })))).toBe(message)
  })

  it('[W5] takes the later versions with direct calls only', async () => {
    const { client } = await simulate()
    const tool = { type: 'web_search_20260318', name: 'web_search' }
    expect(await refusal(client.messages.create(ask({ tools: [tool] })))).toMatch(/allowed_callers/)
    await client.messages.create(ask({ tools: [{ ...tool, allowed_callers: ['direct'] }] }))
  })

  it('[W6] takes back what it found as it gave it, and nothing else', async () => {
    const { client } = await withSearch(() => PAGES)
    const { content } = await client.messages.create(ask({ tools: [TOOL] }))
    const again = (blocks: unknown) =>
      client.messages.create(ask({ tools: [TOOL], messages: [user('hi'), assistant(blocks as []), user('and?')] }))
    await again(content)
    const changed = structuredClone(content) as unknown as { content: { encrypted_content: string }[] }[]
    const page = changed[1]?.content[0] as { encrypted_content: string }
    page.encrypted_content = `x${page.encrypted_content}`
    expect(await refusal(again(changed))).toBe(
      'messages.1.content.1: Invalid `encrypted_content` in `web_search_tool_result` block',
    )
    const cited = structuredClone(content) as unknown as { citations: { encrypted_index: string }[] }[]
    ;(cited[2]?.citations[0] as { encrypted_index: string }).encrypted_index = 'made up'
    expect(await refusal(again(cited))).toBe('messages.1.content.2: Invalid `encrypted_index` in a citation')
  })

  it('[W7] cites what it found, whole or in a stream', async () => {
    const { client } = await withSearch(() => PAGES)
    const whole = await client.messages.create(ask({ tools: [TOOL] }))
    expect(whole.content[2]).toMatchObject({
      citations: [
        {
          type: 'web_search_result_location',
          url: PAGES[0]?.url,
          title: 'Pearl',
          cited_text: 'Nacre is layered.',
          encrypted_index: expect.any(String),
        },
      ],
    })
    const streamed = await client.messages.stream(ask({ tools: [TOOL] })).finalMessage()
    expect(streamed.content[2]).toEqual(whole.content[2])
    expect(streamed.usage.server_tool_use).toEqual(whole.usage.server_tool_use)
  })

  it('[W8] pauses after ten searches, and goes on when it gets the turn back', async () => {
    const { client } = await withSearch(() => PAGES, 11)
    const paused = await client.messages.create(ask({ tools: [TOOL], max_tokens: 2_000 }))
    expect(paused.stop_reason).toBe('pause_turn')
    const messages = [user('hi'), assistant(paused.content as [])]
    const rest = await client.messages.create(ask({ tools: [TOOL], max_tokens: 2_000, messages }))
    expect(rest.content.map(({ type }) => type)).toEqual(['server_tool_use', 'web_search_tool_result', 'text'])
  })

  it('[W8] runs the search that a paused turn ends with', async () => {
    const model = scripted(({ messages }): Reply => {
      const isFound = messages.at(-1)?.content.at(-1)?.type === 'web_search_tool_result'
      return isFound ? { content: ['found'] } : { content: [use('nacre')], stop: 'pause_turn' }
    })
    const { client } = await simulate({ model, details: { search: () => PAGES } })
    const paused = await client.messages.create(ask({ tools: [TOOL] }))
    expect([paused.stop_reason, paused.content.length]).toEqual(['pause_turn', 1])
    const messages = [user('hi'), assistant(paused.content as [])]
    const rest = await client.messages.create(ask({ tools: [TOOL], messages }))
    expect(rest.content.map(({ type }) => type)).toEqual(['web_search_tool_result', 'text'])
    expect(rest.content[0]).toMatchObject({ tool_use_id: (paused.content[0] as { id: string }).id })
  })
})
