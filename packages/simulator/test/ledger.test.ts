import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type LedgerEntry, scripted, startSimulator } from '../src/index.js'
import { hello } from './support/conversation.js'
import { rejection, send, simulate, words } from './support/simulate.js'

const marked = (text: string) => ({
  ...hello,
  messages: [
    {
      role: 'user' as const,
      content: [{ type: 'text' as const, text, cache_control: { type: 'ephemeral' as const } }],
    },
  ],
})

async function temporaryFile(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'simulator-ledger-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, name)
}

describe('the ledger', () => {
  it('adds up dollars by the price table', async () => {
    const { client, simulator } = await simulate({ model: scripted(() => 'ok') })
    const first = await client.messages.create(marked(words(1_000)))
    const second = await client.messages.create(marked(words(1_000)))
    const written = first.usage.cache_creation_input_tokens ?? 0
    expect([written > 1_000, second.usage.cache_read_input_tokens]).toEqual([true, written])
    // Opus 5.5: 4 dollars for a million tokens of input, 5 to write the cache, 0.20 to read it, 20 for output.
    const input = first.usage.input_tokens + second.usage.input_tokens
    const output = first.usage.output_tokens + second.usage.output_tokens
    const dollars = (input * 4 + written * 5 + written * 0.2 + output * 20) / 1_000_000
    const totals = simulator.ledger.totals()
    expect(totals.dollars).toBeCloseTo(dollars, 12)
    expect(totals).toMatchObject({ requests: 2, failed: 0, read: written, write5m: written, write1h: 0, input, output })
    expect(totals.hitRate).toBeCloseTo(written / (2 * written + input), 12)
  })

  it('tells one source from another', async () => {
    const { client, simulator } = await simulate()
    const from = (source: string) => ({ headers: { 'x-nacre-source': source } })
    await client.messages.create(hello)
    await client.messages.create(hello, from('summaries'))
    await client.messages.create(hello, from('summaries'))
    const { ledger } = simulator
    expect(ledger.sources()).toEqual(['main', 'summaries'])
    expect(ledger.totals('main').requests).toBe(1)
    expect(ledger.totals('summaries').requests).toBe(2)
    expect(ledger.totals('nobody')).toMatchObject({ requests: 0, dollars: 0, hitRate: 0 })
    expect(ledger.totals().dollars).toBeCloseTo(ledger.totals('main').dollars + ledger.totals('summaries').dollars, 12)
  })

  it('bills nothing for what failed', async () => {
    const { client, simulator } = await simulate()
    simulator.faults.add({ kind: 'overloaded' })
    await rejection(client.messages.create(hello))
    await rejection(client.messages.create({ ...hello, messages: [] }))
    expect(simulator.ledger.totals()).toMatchObject({ requests: 2, failed: 2, input: 0, output: 0, dollars: 0 })
  })

  it('bills the tokens of a summary too', async () => {
    const { client, simulator } = await simulate()
    const request = { ...hello, betas: ['compact-2026-09-04'], compaction: { type: 'summarize' as const } }
    const { usage } = await client.beta.messages.create(request)
    const iteration = usage.iterations?.[0]
    expect(usage.input_tokens).toBe(0)
    expect(simulator.ledger.totals()).toMatchObject({
      input: iteration?.input_tokens,
      output: iteration?.output_tokens,
    })
  })

  it('writes a line for each request, and goes on in a file that is there', async () => {
    const path = await temporaryFile('ledger.jsonl')
    const { simulator, client, exchanges } = await simulate({ ledger: path })
    await client.messages.create(hello)
    await rejection(client.messages.create({ ...hello, model: 'nobody' }))
    await simulator.close()
    const second = await simulate({ ledger: path })
    await second.client.messages.stream(hello).finalMessage()
    await second.simulator.close()
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    const entries = lines.map((line): LedgerEntry => JSON.parse(line))
    expect(entries.map(({ status, end }) => [status, end])).toEqual([
      [200, 'end_turn'],
      [404, 'not_found_error'],
      [200, 'end_turn'],
    ])
    expect(entries.slice(0, 2)).toEqual(exchanges.map(({ entry }) => entry))
    expect(entries[1]).toMatchObject({ messageId: null, model: 'nobody', dollars: 0 })
  })

  it('says at the end that it could not be written', async () => {
    const path = join(await temporaryFile('none'), 'ledger.jsonl')
    const simulator = await startSimulator({ ledger: path })
    await send(simulator, hello)
    await expect(simulator.close()).rejects.toThrow(`The ledger can not be written to ${path}`)
  })

  it('tells an observer of a stream as of a whole message, until it is told no more', async () => {
    const { client, simulator, exchanges } = await simulate()
    const bodies: string[] = []
    const end = simulator.observe(({ body }) => bodies.push(body))
    const message = await client.messages.stream(hello).finalMessage()
    end()
    await client.messages.create(hello)
    expect(bodies).toEqual([JSON.stringify({ ...hello, stream: true })])
    expect(exchanges[0]?.response).toMatchObject({ id: message.id, content: [{ type: 'text', text: 'ok' }] })
    expect(exchanges).toHaveLength(2)
  })
})

describe('the control endpoints', () => {
  const call = async (url: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/simulator/${path}`, {
      method,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }

  it('show the ledger', async () => {
    const { client, simulator } = await simulate()
    await client.messages.create(hello, { headers: { 'x-nacre-source': 'tests' } })
    const { body } = await call(simulator.url, 'GET', 'ledger')
    expect(body).toEqual({ total: simulator.ledger.totals(), sources: { tests: simulator.ledger.totals('tests') } })
    expect(body).toMatchObject({ total: { requests: 1 } })
  })

  it('move the clock, and the cache ages with it', async () => {
    const { client, simulator } = await simulate()
    const read = async () => (await client.messages.create(marked(words(1_000)))).usage.cache_read_input_tokens
    await read()
    const before = simulator.clock.now()
    expect((await call(simulator.url, 'POST', 'clock', { advance: 299_000 })).body).toEqual({ now: before + 299_000 })
    expect(await read()).toBeGreaterThan(0)
    await call(simulator.url, 'POST', 'clock', { advance: 300_000 })
    expect(await read()).toBe(0)
  })

  it('set faults and take them out', async () => {
    const { simulator } = await simulate()
    await call(simulator.url, 'POST', 'faults', { kind: 'overloaded', times: 5 })
    expect((await send(simulator, hello)).status).toBe(529)
    await call(simulator.url, 'DELETE', 'faults')
    expect((await send(simulator, hello)).status).toBe(200)
  })

  it.each([
    ['POST', 'clock', { advance: 'soon' }, 400],
    ['POST', 'clock', 'not JSON', 400],
    ['POST', 'clock', 'null', 400],
    ['POST', 'clock', '[]', 400],
    ['POST', 'faults', { kind: 'earthquake' }, 400],
    ['POST', 'faults', 'null', 400],
    ['POST', 'ledger', {}, 404],
    ['GET', 'nothing', undefined, 404],
  ])('refuse %s %s %j with an error', async (method, path, body, status) => {
    const { simulator } = await simulate()
    const answer = await call(simulator.url, method, path, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({
      type: 'error',
      error: { message: expect.stringMatching(/JSON|advance|object|fault|There is no/) },
    })
  })
})
