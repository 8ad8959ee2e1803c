import { describe, expect, it } from 'vitest'
import { rejection, send, simulate } from '../support/simulate.js'

const hello = { model: 'claude-opus-5-5', max_tokens: 100, messages: [{ role: 'user' as const, content: 'hi' }] }

describe('HTTP and headers', () => {
  it('[H1] takes a key from either header and refuses a request without one', async () => {
    const { simulator } = await simulate()
    const bearer = await send(simulator, hello, { 'x-api-key': '', authorization: 'Bearer key' })
    expect(bearer.status).toBe(200)
    const none = await send(simulator, hello, { 'x-api-key': '' })
    expect(none.status).toBe(401)
    expect(none.body.error.type).toBe('authentication_error')
  })

  it('[H1] refuses a key that belongs to no account', async () => {
    const { connect } = await simulate({ accounts: { known: {} } })
    await connect({ apiKey: 'known' }).messages.create(hello)
    const error = await rejection(connect({ apiKey: 'other' }).messages.create(hello))
    expect([error.status, error.apiMessage]).toEqual([401, 'invalid x-api-key'])
  })
})
