import { describe, expect, it } from 'vitest'
import { ask, assistant, call, refusal, result, text, user } from '../support/requests.js'
import { simulate } from '../support/simulate.js'

const lacking = (place: number, ids: string) =>
  `messages.${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
const unexpected = (place: string, id: string) =>
  `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`

const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'nacre' } }
const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
const OPEN_SEARCH =
  '`web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block'

const both = assistant([text('both'), call('toolu_A'), call('toolu_B')])
const one = assistant([call('toolu_A')])

async function refused(...messages: unknown[]): Promise<string | null> {
  const { client } = await simulate()
  return refusal(client.messages.create(ask({ messages })))
}

async function take(...messages: unknown[]): Promise<void> {
  const { client } = await simulate()
  await client.messages.create(ask({ messages }))
}

describe('Pairs of calls and results', () => {
  it('[P1] takes calls with their results in the next turn', async () => {
    await take(user('hi'), both, user([result('toolu_B'), result('toolu_A')]))
    await take(user('hi'), both, user([result('toolu_A')]), user([result('toolu_B'), text('and?')]))
  })

  it.each([
    ['no results', [user('go on')], 'toolu_A, toolu_B'],
    ['one result', [user([result('toolu_B')])], 'toolu_A'],
    ['nothing at all', [], 'toolu_A, toolu_B'],
    ['results a turn too late', [user('go on'), assistant('yes'), user([result('toolu_A')])], 'toolu_A, toolu_B'],
  ])('[P1] names all calls that lack a result: %s', async (_, rest, ids) => {
    expect(await refused(user('hi'), both, ...rest)).toBe(lacking(1, ids))
  })

  it('[P1] finds a call without a result in an earlier turn', async () => {
    expect(await refused(user('hi'), assistant('yes'), user('hi'), one, user('hi'), assistant('yes'), user('hi'))).toBe(
      lacking(3, 'toolu_A'),
    )
  })

  it.each([
    ['without any call', 'messages.0.content.0', 'toolu_A', [user([result('toolu_A')])]],
    [
      'of another call',
      'messages.2.content.1',
      'toolu_X',
      [user('hi'), one, user([result('toolu_A'), result('toolu_X')])],
    ],
    [
      'of a call two turns before',
      'messages.4.content.0',
      'toolu_A',
      [user('hi'), one, user([result('toolu_A')]), assistant('yes'), user([result('toolu_A')])],
    ],
    [
      'of a server tool',
      'messages.2.content.0',
      'srvtoolu_1',
      [user('hi'), assistant([search, found]), user([result('srvtoolu_1')])],
    ],
  ])('[P2] refuses a result %s', async (_, place, id, messages) => {
    expect(await refused(...messages)).toBe(unexpected(place, id))
  })

  it('[P3] wants one result for each call', async () => {
    const told = (place: string) =>
      `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: toolu_A`
    const twice = [result('toolu_A'), result('toolu_A', 'again')]
    expect(await refused(user('hi'), one, user(twice))).toBe(told('messages.2.content.1'))
    expect(await refused(user('hi'), one, user([result('toolu_A')]), user([result('toolu_A')]))).toBe(
      told('messages.3.content.0'),
    )
    await take(user('hi'), one, user([result('toolu_A')]))
  })

  it('[P4] wants ids that are unique in the request', async () => {
    const told = (place: string) => `${place}: \`tool_use\` ids must be unique`
    const answered = user([result('toolu_A')])
    expect(await refused(user('hi'), assistant([call('toolu_A'), call('toolu_A')]), answered)).toBe(
      told('messages.1.content.1'),
    )
    expect(await refused(user('hi'), one, answered, one, answered)).toBe(told('messages.3.content.0'))
    await take(user('hi'), one, answered, assistant([call('toolu_B')]), user([result('toolu_B')]))
  })

  it('[P5] takes text after the results and not before them', async () => {
    const said = text('here')
    expect(await refused(user('hi'), one, user([said, result('toolu_A')]))).toBe(lacking(1, 'toolu_A'))
    expect(await refused(user('hi'), one, user('here'), user([result('toolu_A')]))).toBe(lacking(1, 'toolu_A'))
    expect(await refused(user('hi'), both, user([result('toolu_A'), said, result('toolu_B')]))).toBe(
      lacking(1, 'toolu_B'),
    )
    await take(user('hi'), both, user([result('toolu_A'), result('toolu_B'), said]))
  })

  it('[P6] refuses a call of a server tool that has no result', async () => {
    expect(await refused(user('hi'), assistant([search]), user('go on'))).toContain(OPEN_SEARCH)
    const later = [user('hi'), assistant('yes'), user('hi')]
    expect(await refused(user('hi'), assistant([search]), user([text('hm')]), ...later.slice(1))).toContain(OPEN_SEARCH)
    await take(user('hi'), assistant([search, found, text('so')]), user('go on'))
  })

  it.each(['tool_search_tool_regex', 'tool_search_tool_bm25'])('[P6] misses the result of %s', async (name) => {
    expect(await refused(user('hi'), assistant([{ ...search, name }]), user('go on'))).toMatch(
      /without a corresponding `tool_search_tool_result` block$/,
    )
  })

  it('[P6] takes an open call of a server tool at the very end, or with nothing but results behind it', async () => {
    await take(user('hi'), assistant([search]))
    await take(user('hi'), assistant([search, call('toolu_A')]), user([result('toolu_A')]))
    expect(
      await refused(user('hi'), assistant([search, call('toolu_A')]), user([result('toolu_A'), text('go on')])),
    ).toContain(OPEN_SEARCH)
  })

  it('[P6] refuses an open call of a server tool once another answer has come', async () => {
    const answer = assistant([search, call('toolu_A')])
    expect(await refused(user('hi'), answer, user([result('toolu_A')]), assistant('so'), user('go on'))).toContain(
      OPEN_SEARCH,
    )
  })
})
