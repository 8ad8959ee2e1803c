import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { ask, askBeta, count, inputOf, MARKED, refusal, text, user } from '../support/requests.js'
import { rejection, send, simulate, words } from '../support/simulate.js'

const MINUTE = 60_000
const ORGANIZATION = 'a3f1c1de-0000-4000-8000-000000000001'
const small = { id: 'small', like: 'claude-opus-5-5', window: 2000 }
const cached = (seed: string) => ({ messages: [user([text(words(1000, seed), MARKED)])] })

describe('Errors', () => {
  it('[E1] have a body of one shape', async () => {
    const { client, simulator } = await simulate()
    const plain = await send(simulator, ask({ max_tokens: 'many' }))
    expect(plain.body).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'max_tokens: Input should be a valid integer' },
      request_id: plain.headers.get('request-id'),
    })
    simulator.faults.add({ kind: 'spend-cap' })
    const coded = await rejection(client.messages.create(ask()))
    expect(coded.error).toEqual({
      type: 'error',
      error: {
        type: 'rate_limit_error',
        message: expect.any(String),
        details: { error_code: 'enforced_spend_limit_reached' },
      },
      request_id: coded.requestID,
    })
  })

  it.each([
    ['rate-limit', 'RateLimitError', 429, 'rate_limit_error', null],
    ['spend-cap', 'RateLimitError', 429, 'rate_limit_error', 'enforced_spend_limit_reached'],
    ['overloaded', 'OverloadedError', 529, 'overloaded_error', null],
    ['internal', 'InternalServerError', 500, 'api_error', null],
    ['timeout', 'GatewayTimeoutError', 504, 'timeout_error', null],
    ['too-long', 'BadRequestError', 400, 'invalid_request_error', null],
    ['compaction-unavailable', 'OverloadedError', 529, 'overloaded_error', 'compaction_unavailable'],
  ] as const)('[E1] become classes of the SDK: %s is a %s', async (kind, name, status, type, code) => {
    const { client, simulator } = await simulate()
    simulator.faults.add({ kind })
    const error = await rejection(client.messages.create(ask()))
    expect(error).toBeInstanceOf(Anthropic[name])
    expect([error.status, error.type, error.errorCode]).toEqual([status, type, code])
    await client.messages.create(ask())
  })

  it.each([
    ['overloaded', 'Overloaded'],
    ['internal', 'Internal server error'],
  ] as const)('[E1] have the text of the API: %s', async (kind, message) => {
    const { client, simulator } = await simulate()
    simulator.faults.add({ kind })
    expect((await rejection(client.messages.create(ask()))).apiMessage).toBe(message)
  })

  it('[E1] become classes of the SDK: a bad request, a key, a model, a size', { timeout: 30_000 }, async () => {
    const { client, connect } = await simulate({ accounts: { key: {} } })
    expect(await rejection(client.messages.create(ask({ messages: [] })))).toBeInstanceOf(Anthropic.BadRequestError)
    const stranger = connect({ apiKey: 'other' })
    expect(await rejection(stranger.messages.create(ask()))).toBeInstanceOf(Anthropic.AuthenticationError)
    expect(await rejection(client.messages.create(ask({ model: 'x' })))).toBeInstanceOf(Anthropic.NotFoundError)
    const huge = ask({ messages: [user('a'.repeat(33 * 1024 * 1024))] })
    expect(await rejection(client.messages.create(huge))).toBeInstanceOf(Anthropic.ContentTooLargeError)
  })

  it('[E2] say by how much a prompt is too long', async () => {
    const { client } = await simulate({ models: [small] })
    const long = { model: 'small', messages: [user(words(3000))] }
    const { input_tokens } = await client.messages.countTokens(count(long))
    expect(await refusal(client.messages.create(ask(long)))).toBe(
      `prompt is too long: ${input_tokens} tokens > 2000 maximum`,
    )
    await client.messages.create(ask({ ...long, messages: [user(words(300))] }))
  })

  it('[E2] take a prompt that fills the window to the last token', async () => {
    const prompt = { messages: [user(words(500))] }
    const { client } = await simulate()
    const { input_tokens: window } = await client.messages.countTokens(count(prompt))
    const models = [
      { ...small, id: 'exact', window },
      { ...small, id: 'short', window: window - 1 },
    ]
    const { client: other } = await simulate({ models })
    await other.messages.create(ask({ ...prompt, model: 'exact' }))
    expect(await refusal(other.messages.create(ask({ ...prompt, model: 'short' })))).toBe(
      `prompt is too long: ${window} tokens > ${window - 1} maximum`,
    )
  })

  it('[E3] answer a request over the limit of input tokens with 429 and the seconds to wait', async () => {
    const { client, simulator } = await simulate({
      account: { organization: ORGANIZATION },
      details: { limits: { inputTokens: 3000 } },
    })
    const request = ask({ messages: [user(words(600))] })
    const { usage } = await client.messages.create(request)
    expect(usage.input_tokens).toBeGreaterThan(1500)
    const error = await rejection(client.messages.create(request))
    expect(error).toBeInstanceOf(Anthropic.RateLimitError)
    expect(error.apiMessage).toMatch(
      new RegExp(
        `^This request would exceed your organization's rate limit of 3,000 input tokens per minute \\(org: ${ORGANIZATION}, model: claude-opus-5-5\\)\\. For details, refer to: https://docs\\.claude\\.com/en/api/rate-limits\\. You can see the response headers for current usage\\. Please reduce the prompt length or the maximum tokens requested, or try again later\\.`,
      ),
    )
    const seconds = Number(error.headers?.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    simulator.clock.advance(seconds * 1000)
    await client.messages.create(request)
  })

  it('[E3] answer a request over the limit of requests with 429', async () => {
    const { client, simulator } = await simulate({ details: { limits: { requests: 2 } } })
    await client.messages.create(ask())
    await client.messages.create(ask())
    const error = await rejection(client.messages.create(ask()))
    expect([error.status, error.headers?.has('retry-after')]).toEqual([429, true])
    simulator.clock.advance(MINUTE)
    await client.messages.create(ask())
  })

  it('[E3] name a spend cap by its code and no time to wait', async () => {
    const { client, simulator } = await simulate()
    simulator.faults.add({ kind: 'spend-cap' })
    const error = await rejection(client.messages.create(ask()))
    expect([error.status, error.errorCode]).toEqual([429, 'enforced_spend_limit_reached'])
    expect(error.headers?.has('retry-after')).toBe(false)
    simulator.faults.add({ kind: 'rate-limit', retryAfter: 7 })
    const limited = await rejection(client.messages.create(ask()))
    expect([limited.status, limited.headers?.get('retry-after')]).toEqual([429, '7'])
  })

  it('[E4] do not come from tokens that were read from the cache', async () => {
    const { client: measure } = await simulate()
    const size = inputOf((await measure.messages.create(ask(cached('word')))).usage)
    const { client } = await simulate({ details: { limits: { inputTokens: Math.ceil(size * 1.5) } } })
    await client.messages.create(ask(cached('word')))
    for (let times = 0; times < 3; times++) {
      expect((await client.messages.create(ask(cached('word')))).usage.cache_read_input_tokens).toBe(size)
    }
    expect(await rejection(client.messages.create(ask(cached('else'))))).toBeInstanceOf(Anthropic.RateLimitError)
  })

  it.each([{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_01' }])(
    '[E5] answer the thread %j with a code',
    async (thread) => {
      const { client } = await simulate()
      const betas = ['message-threads-2026-08-12']
      const error = await rejection(client.beta.messages.create(askBeta(betas, { thread })))
      expect([error.status, error.errorCode]).toEqual([400, 'thread_unsupported_request'])
      await client.beta.messages.create(askBeta(betas))
    },
  )

  it("[E5] let the SDK's tool runner go on without a thread", async () => {
    const { client, exchanges } = await simulate()
    const runner = client.beta.messages.toolRunner({
      model: 'claude-opus-5-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
      tools: [],
    })
    expect((await runner).stop_reason).toBe('end_turn')
    expect(exchanges.map(({ entry }) => entry.status)).toEqual([400, 200])
    expect(exchanges.map(({ body }) => 'thread' in JSON.parse(body))).toEqual([true, false])
  })
})
