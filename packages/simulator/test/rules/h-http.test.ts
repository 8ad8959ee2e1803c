import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { scripted } from '../../src/index.js'
import { ask, askBeta, count, MARKED, refusal, text, user } from '../support/requests.js'
import { rejection, send, simulate, words } from '../support/simulate.js'

const MEGABYTE = 1024 * 1024

describe('HTTP and headers', () => {
  it('[H1] takes a key from either header and refuses a request without one', async () => {
    const { simulator } = await simulate()
    const bearer = await send(simulator, ask(), { 'x-api-key': '', authorization: 'Bearer key' })
    expect(bearer.status).toBe(200)
    const own = await send(simulator, ask(), { 'x-api-key': 'key' })
    expect(own.status).toBe(200)
    const none = await send(simulator, ask(), { 'x-api-key': '' })
    expect(none.status).toBe(401)
    expect(none.body.error?.type).toBe('authentication_error')
  })

  it('[H1] refuses a key that belongs to no account, in either header and on every endpoint', async () => {
    const { connect, simulator } = await simulate({ accounts: { known: {} } })
    await connect({ apiKey: 'known' }).messages.create(ask())
    const stranger = connect({ apiKey: 'other' })
    for (const request of [
      () => stranger.messages.create(ask()),
      () => stranger.messages.countTokens(count()),
      () => stranger.models.list(),
    ]) {
      const error = await rejection(request())
      expect([error.status, error.type, error.apiMessage]).toEqual([401, 'authentication_error', 'invalid x-api-key'])
    }
    expect((await send(simulator, ask(), { 'x-api-key': 'known' })).status).toBe(200)
    expect((await send(simulator, ask(), { 'x-api-key': 'other' })).status).toBe(401)
  })

  it('[H2] requires the version header', async () => {
    const { client } = await simulate()
    const without = { headers: { 'anthropic-version': null } }
    const missing = 'anthropic-version: header is required'
    expect(await refusal(client.messages.create(ask(), without))).toBe(missing)
    expect(await refusal(client.messages.countTokens(count(), without))).toBe(missing)
    expect(await refusal(client.models.list({}, without))).toBe(missing)
    await client.messages.create(ask(), { headers: { 'anthropic-version': '2023-06-01' } })
  })

  it('[H3] gives every answer an id of its own', async () => {
    const { client } = await simulate()
    const whole = await client.messages.create(ask()).withResponse()
    const stream = await client.messages.create({ ...ask(), stream: true }).withResponse()
    const counted = await client.messages.countTokens(count()).withResponse()
    const models = await client.models.list().withResponse()
    const ids = [whole, stream, counted, models].map((answer) => answer.response.headers.get('request-id'))
    for (const id of ids) expect(id).toMatch(/^req_01/)
    expect(new Set(ids).size).toBe(4)
  })

  it('[H3] repeats the id in the body of an error', async () => {
    const { client, connect } = await simulate({ accounts: { key: {} } })
    for (const request of [
      () => client.messages.create(ask({ max_tokens: 'many' })),
      () => client.messages.countTokens(count({ messages: [] })),
      () => client.messages.create(ask({ model: 'claude-nobody' })),
      () => client.get('/v1/nowhere'),
      () => connect({ apiKey: 'other' }).messages.create(ask()),
    ]) {
      const error = await rejection(request())
      expect(error.requestID).toMatch(/^req_01/)
      expect(error.error).toMatchObject({ request_id: error.requestID })
    }
  })

  it('[H4] names the organisation and the workspace of the key', async () => {
    const { client } = await simulate({ accounts: { key: { organization: 'org-a', workspace: 'wrkspc_a' } } })
    const { response } = await client.messages.create(ask()).withResponse()
    expect(response.headers.get('anthropic-organization-id')).toBe('org-a')
    expect(response.headers.get('anthropic-workspace-id')).toBe('wrkspc_a')
    for (const refused of [
      () => client.messages.create(ask({ messages: [] })),
      () => client.messages.countTokens(count({ messages: [] })),
      () => client.models.retrieve('claude-nobody'),
    ]) {
      const error = await rejection(refused())
      expect(error.headers?.get('anthropic-organization-id')).toBe('org-a')
      expect(error.workspaceID).toBe('wrkspc_a')
    }
  })

  it('[H4] lets a workspace id in the request count, for the headers and for the cache', async () => {
    const { client } = await simulate()
    const long = { messages: [user([text(words(1000), MARKED)])] }
    const one = await client.messages.create(ask({ ...long, workspace_id: 'wrkspc_one' })).withResponse()
    expect(one.response.headers.get('anthropic-workspace-id')).toBe('wrkspc_one')
    const other = await client.messages.create(ask({ ...long, workspace_id: 'wrkspc_other' }))
    expect(other.usage.cache_read_input_tokens).toBe(0)
    const again = await client.messages.create(ask({ ...long, workspace_id: 'wrkspc_one' }))
    expect(again.usage.cache_read_input_tokens).toBeGreaterThan(0)
  })

  it('[H4] shows the limits and what is left of them', async () => {
    const limits = { requests: 10, inputTokens: 50_000, outputTokens: 20_000 }
    const { client } = await simulate({ details: { limits } })
    const { response } = await client.messages.create(ask({ messages: [user(words(5000))] })).withResponse()
    const shown = (name: string) => response.headers.get(`anthropic-ratelimit-${name}`)
    expect([shown('requests-limit'), shown('requests-remaining')]).toEqual(['10', '9'])
    expect([shown('input-tokens-limit'), shown('output-tokens-limit')]).toEqual(['50000', '20000'])
    expect(shown('tokens-limit')).toBe('70000')
    for (const kind of ['tokens', 'input-tokens', 'output-tokens']) expect(shown(`${kind}-remaining`)).toMatch(/\d000$/)
    expect(Number(shown('input-tokens-remaining'))).toBeLessThan(50_000)
    for (const kind of ['requests', 'tokens', 'input-tokens', 'output-tokens']) {
      expect(shown(`${kind}-reset`)).toMatch(/^2026-01-01T00:0\d:\d\d(\.\d+)?Z$/)
    }
  })

  it('[H5] makes ids of the known shapes', async () => {
    const model = scripted(() => [
      { type: 'server_tool_use', name: 'web_search', input: { query: 'nacre' } },
      { type: 'tool_use', name: 'look', input: {} },
    ])
    const { client } = await simulate({ model })
    const { data, request_id } = await client.messages.create(ask()).withResponse()
    const [search, look] = data.content as { id: string }[]
    expect(data.id).toMatch(/^msg_01[1-9A-Za-z]{22}$/)
    expect(search?.id).toMatch(/^srvtoolu_01[1-9A-Za-z]{22}$/)
    expect(look?.id).toMatch(/^toolu_01[1-9A-Za-z]{22}$/)
    expect(request_id).toMatch(/^req_01[1-9A-Za-z]{22}$/)
  })

  it('[H6] refuses a body above 32 MB and takes one of just that size', { timeout: 30_000 }, async () => {
    const { simulator } = await simulate()
    const body = JSON.stringify(ask())
    const filled = body + ' '.repeat(32 * MEGABYTE - body.length)
    expect((await send(simulator, filled)).status).toBe(200)
    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      const refused = await send(simulator, `${filled} `, {}, path)
      expect(refused.status).toBe(413)
      expect(refused.body.error).toEqual({ type: 'request_too_large', message: 'Request exceeds the maximum size' })
    }
  })

  it('[H7] takes 100,000 messages and no more', { timeout: 30_000 }, async () => {
    const { client } = await simulate()
    const messages = Array.from({ length: 100_000 }, () => user('a'))
    await client.messages.create(ask({ messages }))
    expect(await refusal(client.messages.create(ask({ messages: [...messages, user('a')] })))).toMatch(
      /^messages: .*100000/,
    )
  })

  it.each(['/v1/nowhere', '/v2/messages', '/'])('[H8] finds nothing at the path %s', async (path) => {
    const { client } = await simulate()
    const error = await rejection(client.post(path, { body: ask() }))
    expect([error.status, error.type]).toEqual([404, 'not_found_error'])
  })

  it('[H8] names the model that it does not know', async () => {
    const { client } = await simulate()
    for (const request of [
      () => client.messages.create(ask({ model: 'claude-nobody' })),
      () => client.messages.countTokens(count({ model: 'claude-nobody' })),
      () => client.models.retrieve('claude-nobody'),
    ]) {
      const error = await rejection(request())
      expect(error).toBeInstanceOf(Anthropic.NotFoundError)
      expect([error.type, error.apiMessage]).toEqual(['not_found_error', 'model: claude-nobody'])
    }
  })

  it('[H9] refuses unknown betas by name', async () => {
    const { client } = await simulate()
    const told = (names: string) =>
      `Unexpected value(s) ${names} for the \`anthropic-beta\` header. Please consult our documentation at platform.claude.com/docs or try again without the header.`
    const one = client.beta.messages.create(askBeta(['pearls-2026-01-01']))
    expect(await refusal(one)).toBe(told('`pearls-2026-01-01`'))
    const mixed = ['pearls-2026-01-01', 'context-management-2025-06-27', 'shells-2026-01-01']
    expect(await refusal(client.beta.messages.create(askBeta(mixed)))).toBe(
      told('`pearls-2026-01-01`, `shells-2026-01-01`'),
    )
  })

  it.each([
    'context-management-2025-06-27',
    'compact-2026-01-12',
    'compact-2026-09-04',
    'message-threads-2026-08-12',
    'thinking-binding-controls-2026-08-01',
    'thinking-display-updates-2026-08-18',
    'thinking-token-count-2026-05-13',
    'mid-conversation-system-clear-at-2026-08-21',
    'mid-conversation-output-config-2026-07-01',
    'mid-conversation-tool-changes-2026-07-01',
    'inline-tools-2026-09-15',
    'task-budgets-2026-03-13',
    'cache-diagnosis-2026-04-07',
    'interleaved-thinking-2025-05-14',
    'model-context-window-exceeded-2025-08-26',
    'token-counting-2024-11-01',
    'mcp-client-2025-11-20',
    'fast-mode-2026-02-01',
    'output-300k-2026-03-24',
    'context-1m-2025-08-07',
    'extended-cache-ttl-2025-04-11',
  ])('[H9] knows the beta %s', async (beta) => {
    const { client } = await simulate()
    expect((await client.beta.messages.create(askBeta([beta]))).stop_reason).toBe('end_turn')
  })
})
