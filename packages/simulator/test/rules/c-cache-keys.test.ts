import { describe, expect, it } from 'vitest'
import { scripted } from '../../src/index.js'
import {
  assistant,
  bill,
  blocks,
  count,
  headTokens,
  mark,
  type Request,
  request,
  split,
  text,
  tiny,
  tool,
  user,
} from '../support/prompt-cache.js'
import { simulate } from '../support/simulate.js'

/** A request with one block on each level, of which the named ones are marked. */
function threeLevels(marked: string): Request {
  const ttl = (level: string) => (marked.includes(level) ? ('5m' as const) : undefined)
  return request([text('a question', ttl('messages'))], {
    tools: [tool('look', ttl('tools'))],
    system: [text('You look things up.', ttl('system'))],
  })
}

describe('Keys of the prompt cache', () => {
  it('[C1] puts tools before the system prompt and that before the messages', async () => {
    const { client } = await simulate({ models: [tiny] })
    const total = await count(client, threeLevels(''))
    const tools = await headTokens(client, { ...threeLevels(''), system: [] })
    const system = await headTokens(client, threeLevels(''))
    expect(await bill(client, threeLevels('tools'))).toEqual(split({ write5m: tools, input: total - tools }))
    expect(await bill(client, threeLevels('system'))).toEqual(
      split({ read: tools, write5m: system - tools, input: total - system }),
    )
    expect(await bill(client, threeLevels('messages'))).toEqual(split({ read: system, write5m: total - system }))
  })

  it('[C1] hashes every block up to the marked one', async () => {
    const { client } = await simulate({ models: [tiny] })
    const body = request(blocks(3, { 3: '5m' }))
    const total = await count(client, body)
    expect(await bill(client, body)).toEqual(split({ write5m: total }))
    expect(await bill(client, body)).toEqual(split({ read: total }))
    for (const number of [0, 1, 2]) {
      const edited = request(blocks(3, { 3: '5m' }).with(number, text(`another ${number}`, '5m')))
      expect((await bill(client, edited)).read).toBe(0)
    }
  })

  it('[C1] tells blocks of the user from the same blocks of the assistant', async () => {
    const { client } = await simulate({ models: [tiny] })
    const [first, second, third] = [text('one'), text('two'), text('three', '5m')]
    await bill(client, request([], { messages: [user(first), assistant(second), user(third)] }))
    const spoken = await bill(client, request([first, second, third]))
    expect(spoken.read).toBe(0)
  })

  it('[C2] takes a moved marker, or one of another lifetime, for no change', async () => {
    const { client } = await simulate({ models: [tiny] })
    await bill(client, request(blocks(2, { 2: '5m' })))
    const two = await count(client, request(blocks(2)))
    const four = await count(client, request(blocks(4)))
    expect(await bill(client, request(blocks(4, { 4: '5m' })))).toEqual(split({ read: two, write5m: four - two }))
    expect(await bill(client, request(blocks(4, { 1: '1h', 4: '1h' })))).toEqual(split({ read: four }))
  })

  it('[C2] takes a marker inside a tool result for no change', async () => {
    const { client } = await simulate({ models: [tiny] })
    const tools = [tool('look')]
    const call = { type: 'tool_use' as const, id: 'toolu_1', name: 'look', input: {} }
    const conversation = (inner: object, last: object) =>
      request([], {
        tools,
        messages: [
          user(text('look')),
          assistant(call),
          user(
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ ...text('seen'), ...inner }] },
            { ...text('and?'), ...last },
          ),
        ],
      })
    const total = await count(client, conversation({}, {}))
    const first = await bill(client, conversation(mark(), {}))
    expect(first).toEqual(split({ write5m: first.write5m, input: total - first.write5m }))
    expect(await bill(client, conversation({}, mark()))).toEqual(
      split({ read: first.write5m, write5m: total - first.write5m }),
    )
  })

  it('[C3] writes entries at markers only', async () => {
    const { client } = await simulate({ models: [tiny] })
    await bill(client, request(blocks(3, { 3: '5m' })))
    const two = await count(client, request(blocks(2)))
    expect(await bill(client, request(blocks(2, { 2: '5m' })))).toEqual(split({ write5m: two }))
  })

  it('[C3] writes an entry at every marker', async () => {
    const { client } = await simulate({ models: [tiny] })
    await bill(client, request(blocks(4, { 1: '5m', 2: '5m', 3: '5m', 4: '5m' })))
    for (const size of [1, 2, 3, 4]) {
      const tokens = await count(client, request(blocks(size)))
      expect(await bill(client, request(blocks(size, { [size]: '5m' })))).toEqual(split({ read: tokens }))
    }
  })

  it('[C10] keeps caches apart by organisation and by workspace', async () => {
    const { connect } = await simulate({
      models: [tiny],
      accounts: {
        one: { organization: 'first' },
        same: { organization: 'first' },
        other: { organization: 'second' },
        aside: { organization: 'first', workspace: 'wrkspc_01Aside' },
      },
    })
    const body = request(blocks(1, { 1: '5m' }))
    const client = (apiKey: string) => connect({ apiKey })
    const total = await count(client('one'), body)
    expect(await bill(client('one'), body)).toEqual(split({ write5m: total }))
    expect(await bill(client('same'), body)).toEqual(split({ read: total }))
    expect(await bill(client('other'), body)).toEqual(split({ write5m: total }))
    expect(await bill(client('aside'), body)).toEqual(split({ write5m: total }))
    const header = { 'anthropic-workspace-id': 'wrkspc_01Other' }
    expect(await bill(client('one'), body, header)).toEqual(split({ write5m: total }))
    expect(await bill(client('one'), body, header)).toEqual(split({ read: total }))
  })

  it('[C10] keeps caches apart by model, and not by the names of one model', async () => {
    const { client } = await simulate({
      models: [
        { ...tiny, aliases: ['tiny-latest'] },
        { ...tiny, id: 'twin' },
      ],
    })
    const body = request(blocks(1, { 1: '5m' }))
    const total = await count(client, body)
    await bill(client, body)
    expect(await bill(client, { ...body, model: 'twin' })).toEqual(split({ write5m: total }))
    expect(await bill(client, { ...body, model: 'tiny-latest' })).toEqual(split({ read: total }))
  })

  it('[C11] neither writes nor reads without a marker', async () => {
    const { client } = await simulate({ models: [tiny] })
    const total = await count(client, request(blocks(2)))
    expect(await bill(client, request(blocks(2)))).toEqual(split({ input: total }))
    expect(await bill(client, request(blocks(2, { 2: '5m' })))).toEqual(split({ write5m: total }))
    expect(await bill(client, request(blocks(2)))).toEqual(split({ input: total }))
  })

  it('[C12] hashes and bills thinking that comes back', async () => {
    const model = scripted(() => [{ type: 'thinking', thinking: 'a thought about it' }, 'ok'])
    const { client } = await simulate({ models: [tiny], model })
    const asked = [user(text('a question', '5m'))]
    const { content } = await client.messages.create(request([], { messages: asked }))
    const [thinking, answer] = content as [(typeof content)[0], (typeof content)[0]]
    expect(thinking.type).toBe('thinking')
    const goOn = (...said: typeof content) =>
      request([], { messages: [...asked, assistant(...said), user(text('go on', '5m'))] })

    const one = await count(client, request([], { messages: asked }))
    const full = await count(client, goOn(thinking, answer))
    const bare = await count(client, goOn(answer))
    expect(full).toBeGreaterThan(bare)
    expect(await bill(client, goOn(thinking, answer))).toEqual(split({ read: one, write5m: full - one }))
    expect(await bill(client, goOn(thinking, answer))).toEqual(split({ read: full }))
    expect(await bill(client, goOn(answer))).toEqual(split({ read: one, write5m: bare - one }))
  })

  it("[C23] counts the order of keys inside a tool's input", async () => {
    const { client } = await simulate({ models: [tiny] })
    const conversation = (input: object) =>
      request([], {
        tools: [tool('look')],
        messages: [
          user(text('look', '5m')),
          assistant({ type: 'tool_use', id: 'toolu_1', name: 'look', input }),
          user({ type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen', ...mark() }),
        ],
      })
    const written = conversation({ path: 'a', line: 1 })
    const start = await count(client, { ...written, messages: written.messages.slice(0, 1) })
    const total = await count(client, written)
    await bill(client, written)
    expect(await bill(client, conversation({ path: 'a', line: 1 }))).toEqual(split({ read: total }))
    const turned = conversation({ line: 1, path: 'a' })
    expect(await bill(client, turned)).toEqual(split({ read: start, write5m: (await count(client, turned)) - start }))
  })
})
