import { afterEach, describe, expect, it } from 'vitest'
import { openTap, type Tap, type Tapped } from '../../src/conformance/tap.js'
import { type Simulator, scripted, startSimulator } from '../../src/index.js'

const BODY = { model: 'claude-opus-5-5', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
const open: (Simulator | Tap)[] = []

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

async function tapped(arrived: (request: Tapped, simulator: Simulator) => void = () => undefined) {
  const simulator = await startSimulator({ model: scripted(() => 'Hello!') })
  const requests: Tapped[] = []
  const tap = await openTap(simulator.port, (request) => {
    requests.push(request)
    arrived(request, simulator)
  })
  open.push(simulator, tap)
  const post = (body: object, signal?: AbortSignal) =>
    fetch(`${tap.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'any', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
  return { post, requests, tap }
}

describe('the tap of the conformance kit', () => {
  it('passes a stream on as it comes, and knows the request to the byte', async () => {
    const { post, requests } = await tapped()
    const response = await post({ ...BODY, stream: true })
    expect(await response.text()).toMatch(/message_start.*Hello!.*message_stop/s)
    expect(requests).toMatchObject([
      { path: '/v1/messages', source: 'main', body: JSON.stringify({ ...BODY, stream: true }), status: 200 },
    ])
  })

  it('hears of a request early enough to let a fault strike it, and keeps what the API says', async () => {
    const { post, requests } = await tapped((_request, { faults }) => void faults.add({ kind: 'overloaded' }))
    expect((await post(BODY)).status).toBe(529)
    expect(requests[0]?.error).toContain('Overloaded')
  })

  it('drops a connection that the server drops', async () => {
    const { post } = await tapped((_request, { faults }) => void faults.add({ kind: 'reset' }))
    await expect(post(BODY)).rejects.toThrow()
  })

  it('is quiet again when a client has left before its answer', async () => {
    const stop = new AbortController()
    const { post, requests, tap } = await tapped((_request, { faults }) => {
      faults.add({ kind: 'slow', amount: 60_000 })
      stop.abort()
    })
    await expect(post(BODY, stop.signal)).rejects.toThrow()
    await tap.quiet()
    expect(requests[0]?.status).toBe(0)
  })
})
