import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { type Fault, scripted } from '../src/index.js'
import { hello, textOf } from './support/conversation.js'
import { rejection, simulate, words } from './support/simulate.js'

describe('errors as the SDK sees them', () => {
  it('a bad request is a BadRequestError with the text and the request id', async () => {
    const { client, exchanges } = await simulate()
    const error = await rejection(client.messages.create({ ...hello, messages: [] }))
    expect(error).toBeInstanceOf(Anthropic.BadRequestError)
    expect(error.apiMessage).toBe('messages: at least one message is required')
    expect([error.status, error.type]).toEqual([400, 'invalid_request_error'])
    expect(error.requestID).toBe(exchanges[0]?.entry.requestId)
  })

  it('an unknown key is an AuthenticationError', async () => {
    const { client } = await simulate({ accounts: { other: {} } })
    expect(await rejection(client.messages.create(hello))).toBeInstanceOf(Anthropic.AuthenticationError)
  })

  it('an unknown model is a NotFoundError', async () => {
    const { client } = await simulate()
    expect(await rejection(client.messages.create({ ...hello, model: 'claude-none' }))).toBeInstanceOf(
      Anthropic.NotFoundError,
    )
  })

  const byFault: readonly (readonly [Fault, unknown, number | undefined])[] = [
    [{ kind: 'rate-limit' }, Anthropic.RateLimitError, 429],
    [{ kind: 'spend-cap' }, Anthropic.RateLimitError, 429],
    [{ kind: 'overloaded' }, Anthropic.OverloadedError, 529],
    [{ kind: 'internal' }, Anthropic.InternalServerError, 500],
    [{ kind: 'timeout' }, Anthropic.GatewayTimeoutError, 504],
    [{ kind: 'too-long' }, Anthropic.BadRequestError, 400],
    [{ kind: 'compaction-unavailable' }, Anthropic.OverloadedError, 529],
    [{ kind: 'reset' }, Anthropic.APIConnectionError, undefined],
  ]
  it.each(byFault)('the fault %o becomes its class', async (fault, kind, status) => {
    const { client, simulator } = await simulate()
    simulator.faults.add(fault)
    const error = await rejection(client.messages.create(hello))
    expect(error).toBeInstanceOf(kind)
    expect(error.status).toBe(status)
    expect(textOf(await client.messages.create(hello))).toBe('ok')
  })

  it('names the codes of a spend cap and of a compaction that is unavailable', async () => {
    const { client, simulator } = await simulate()
    simulator.faults.add({ kind: 'spend-cap' })
    const capped = await rejection(client.messages.create(hello))
    expect(capped.errorCode).toBe('enforced_spend_limit_reached')
    expect(capped.headers?.get('retry-after')).toBeNull()
    simulator.faults.add({ kind: 'compaction-unavailable' })
    expect((await rejection(client.messages.create(hello))).errorCode).toBe('compaction_unavailable')
  })
})

describe('retries of the SDK', () => {
  it.each(['overloaded', 'internal', 'timeout', 'reset'] as const)('get through after %s', async (kind) => {
    const { connect, simulator } = await simulate()
    simulator.faults.add({ kind })
    expect(textOf(await connect({ maxRetries: 1 }).messages.create(hello))).toBe('ok')
  })

  it('get through after as many faults as there are retries, and not after one more', async () => {
    const { connect, simulator, exchanges } = await simulate()
    const client = connect({ maxRetries: 2 })
    simulator.faults.add({ kind: 'rate-limit', times: 2, retryAfter: 0.01 })
    await client.messages.create(hello)
    expect(exchanges.map(({ entry }) => entry.status)).toEqual([429, 429, 200])
    simulator.faults.add({ kind: 'rate-limit', times: 3, retryAfter: 0.01 })
    expect(await rejection(client.messages.create(hello))).toBeInstanceOf(Anthropic.RateLimitError)
    expect(new Set(exchanges.map(({ body }) => body)).size).toBe(1)
  })

  it('wait as long as retry-after says', async () => {
    const { connect, simulator } = await simulate()
    const client = connect({ maxRetries: 1 })
    simulator.faults.add({ kind: 'rate-limit', retryAfter: 0.05 })
    const before = performance.now()
    await client.messages.create(hello)
    const taken = performance.now() - before
    // Without the header the SDK waits for at least 375 ms.
    expect(taken).toBeGreaterThanOrEqual(49)
    expect(taken).toBeLessThan(370)
  })

  it('are not made for an error that would come again', async () => {
    const { connect, exchanges } = await simulate()
    await rejection(connect({ maxRetries: 2 }).messages.create({ ...hello, messages: [] }))
    expect(exchanges).toHaveLength(1)
  })
})

describe('broken streams as the SDK sees them', () => {
  const long = scripted(() => words(200))

  it('an error in mid-stream is an APIError without a status, and is not retried', async () => {
    const { connect, simulator, exchanges } = await simulate({ model: long })
    simulator.faults.add({ kind: 'stream-error', amount: 6 })
    const error = await rejection(connect({ maxRetries: 2 }).messages.stream(hello).finalMessage())
    expect(error).toBeInstanceOf(Anthropic.APIError)
    expect([error.status, error.type]).toEqual([undefined, 'overloaded_error'])
    expect(exchanges.map(({ entry }) => entry.end)).toEqual(['stream-error'])
  })

  it('a cut stream rejects', async () => {
    const { client, simulator } = await simulate({ model: long })
    simulator.faults.add({ kind: 'cut', amount: 6 })
    const error = await rejection(client.messages.stream(hello).finalMessage())
    expect(error).toBeInstanceOf(Anthropic.AnthropicError)
    expect((await client.messages.stream(hello).finalMessage()).stop_reason).toBe('end_turn')
  })

  it('a cut before any event rejects too', async () => {
    const { client, simulator } = await simulate({ model: long })
    simulator.faults.add({ kind: 'cut', amount: 0 })
    expect(await rejection(client.messages.stream(hello).finalMessage())).toBeInstanceOf(Anthropic.AnthropicError)
  })

  it('a cut answer that is not streamed rejects', async () => {
    const { client, simulator, exchanges } = await simulate()
    simulator.faults.add({ kind: 'cut' })
    expect(await rejection(client.messages.create(hello))).toBeInstanceOf(Error)
    expect(exchanges.map(({ entry }) => entry.end)).toEqual(['cut'])
  })

  it('a stream that stalls says nothing more until the client aborts it', async () => {
    const { client, simulator } = await simulate({ model: long })
    simulator.faults.add({ kind: 'stall', amount: 6 })
    const told = new Promise<string>((resolve) => simulator.observe(({ entry }) => resolve(entry.end)))
    const stream = client.messages.stream(hello)
    let seen = 0
    stream.on('streamEvent', () => {
      seen += 1
      // Of six events one is a ping, which the SDK keeps to itself.
      if (seen === 5) stream.abort()
    })
    expect(await rejection(stream.finalMessage())).toBeInstanceOf(Anthropic.APIUserAbortError)
    expect(await told).toBe('stall')
    expect(seen).toBe(5)
  })

  it('a slow first byte runs into the timeout of the client', async () => {
    const { connect, simulator, exchanges } = await simulate()
    simulator.faults.add({ kind: 'slow', amount: 60_000 })
    const error = await rejection(connect({ timeout: 50 }).messages.create(hello))
    expect(error).toBeInstanceOf(Anthropic.APIConnectionTimeoutError)
    simulator.faults.add({ kind: 'slow', amount: 1 })
    await connect().messages.create(hello)
    expect(exchanges.at(-1)?.entry.status).toBe(200)
  })
})
