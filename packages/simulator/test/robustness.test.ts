import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Simulator, scripted } from '../src/index.js'
import { clock, hello, textOf } from './support/conversation.js'
import { rejection, send, simulate, words } from './support/simulate.js'

/** Every error the server gives, and nothing else. */
function expectApiError({ status, headers, body }: Awaited<ReturnType<typeof send>>): void {
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(body).toMatchObject({ type: 'error', error: { type: expect.any(String), message: expect.any(String) } })
  expect(body.request_id).toBe(headers.get('request-id'))
}

async function expectAlive({ url }: Simulator): Promise<void> {
  const client = new Anthropic({ apiKey: 'key', baseURL: url, maxRetries: 0, logLevel: 'off' })
  expect((await client.messages.create({ ...hello, max_tokens: 50 })).role).toBe('assistant')
}

/** A socket of our own, for what no HTTP client would send. */
async function openSocket(simulator: Simulator): Promise<Socket> {
  const socket = connectSocket(simulator.port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await once(socket, 'close')
  return text
}

const head = (length: number) =>
  `POST /v1/messages HTTP/1.1\r\nhost: simulator\r\nx-api-key: key\r\nanthropic-version: 2026-10-21\r\ncontent-length: ${length}\r\n\r\n`

describe('a body that makes no sense', () => {
  const bodies: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['half an object', '{"model": "claude'],
    ['a number', '7'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"hello"'],
    ['bytes that are no text', '\u0000\u0001\ufffd'],
    ['an unknown field', JSON.stringify({ ...hello, colour: 'red' })],
    ['a model that is a number', JSON.stringify({ ...hello, model: 5 })],
    ['messages that are a text', JSON.stringify({ ...hello, messages: 'hi' })],
    ['a message that is null', JSON.stringify({ ...hello, messages: [null] })],
    ['content that is a number', JSON.stringify({ ...hello, messages: [{ role: 'user', content: 1 }] })],
    ['a block without a type', JSON.stringify({ ...hello, messages: [{ role: 'user', content: [{}] }] })],
    ['a block that is a list', JSON.stringify({ ...hello, messages: [{ role: 'user', content: [[]] }] })],
    ['max_tokens beyond all numbers', `{"model":"claude-opus-5-5","max_tokens":1e999,"messages":[]}`],
    ['a huge max_tokens', JSON.stringify({ ...hello, max_tokens: Number.MAX_SAFE_INTEGER })],
    ['a negative max_tokens', JSON.stringify({ ...hello, max_tokens: -1 })],
    ['a fraction of a token', JSON.stringify({ ...hello, max_tokens: 1.5 })],
    ['a prototype as a field', `{"__proto__":{"model":"claude-opus-5-5"},"max_tokens":5,"messages":[]}`],
    ['a constructor as a field', JSON.stringify({ ...hello, constructor: { prototype: {} } })],
    ['a type of the prototype', JSON.stringify({ ...hello, thinking: { type: '__proto__' } })],
    [
      'a block of the type toString',
      JSON.stringify({ ...hello, messages: [{ role: 'user', content: [{ type: 'toString' }] }] }),
    ],
    ['a role of the prototype', JSON.stringify({ ...hello, messages: [{ role: 'constructor', content: 'x' }] })],
    ['tools that are a text', JSON.stringify({ ...hello, tools: 'none' })],
  ]
  it.each(bodies)('is refused as the API refuses it: %s', async (_, body) => {
    const { simulator } = await simulate()
    expectApiError(await send(simulator, body))
    await expectAlive(simulator)
  })

  it('leaves prototypes as they are', async () => {
    const { simulator } = await simulate()
    await send(simulator, '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
    const input = JSON.parse('{"__proto__":{"polluted":1}}')
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'clock', input }] }
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] }
    const taken = await send(simulator, { ...hello, tools: [clock], messages: [...hello.messages, call, result] })
    expect(taken.status).toBe(200)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('takes names of tools and ids that objects have of their own', async () => {
    const { simulator } = await simulate()
    const tools = [
      { ...clock, name: 'constructor' },
      { ...clock, name: 'toString' },
    ]
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: '__proto__', name: 'toString', input: {} }] }
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: '__proto__', content: 'x' }] }
    const taken = await send(simulator, { ...hello, tools, messages: [...hello.messages, call, result] })
    expect(taken.status).toBe(200)
  })

  it.each([10, 1_000, 100_000])('survives lists that are %i deep', async (depth) => {
    const { simulator } = await simulate()
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
    const asContent = `{"model":"claude-opus-5-5","max_tokens":5,"messages":[{"role":"user","content":${nested}}]}`
    expectApiError(await send(simulator, asContent))
    const asInput = `{"model":"claude-opus-5-5","max_tokens":5,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"b","input":{"x":${nested}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}`
    const answer = await send(simulator, asInput)
    if (answer.status !== 200) expectApiError(answer)
    await expectAlive(simulator)
  })

  it.each([
    ['NUL', 'a\u0000b'],
    ['a text of one character', 'x'.repeat(300_000)],
    ['white space and one letter', `${' '.repeat(300_000)}x`],
    ['control tokens', '<|endoftext|><META_START>'],
    ['emoji', '👩‍👩‍👧‍👦'.repeat(2_000)],
  ])('takes %s in a text and gives it back', async (_, text) => {
    const { client } = await simulate({ model: scripted((turn) => String(turn.messages[0]?.content[0]?.text)) })
    const request = { ...hello, max_tokens: 128_000, messages: [{ role: 'user' as const, content: text }] }
    const streamed = await client.messages.stream(request).finalMessage()
    expect(textOf(streamed)).toBe(text)
    expect(streamed.usage.input_tokens).toBeGreaterThan(0)
  })

  it.each(['\ud83d', 'a \udc1a', '\ud83d\ud83d\udc1a'])(
    'refuses half a surrogate pair, as the parser of the API does',
    async (text) => {
      const { client } = await simulate({ model: scripted(() => 'ok') })
      const asked = client.messages.create({ ...hello, messages: [{ role: 'user', content: text }] })
      await expect(asked).rejects.toThrow(/no low surrogate in string/)
      const named = { ...hello, messages: [{ role: 'user' as const, content: `the words \\ud83d, and a 🐚` }] }
      expect(textOf(await client.messages.create(named))).toBe('ok')
    },
  )
})

describe('a body that is too large', () => {
  it('is refused, and the SDK sees why', async () => {
    const { client, simulator } = await simulate()
    const content = 'x'.repeat(40_000_000)
    const error = await rejection(client.messages.create({ ...hello, messages: [{ role: 'user', content }] }))
    expect(error).toBeInstanceOf(Anthropic.ContentTooLargeError)
    expect([error.status, error.type, error.apiMessage]).toEqual([
      413,
      'request_too_large',
      'Request exceeds the maximum size',
    ])
    await expectAlive(simulator)
  })
})

describe('a request that breaks off', () => {
  it('in mid-body leaves nothing behind', async () => {
    const { simulator, exchanges } = await simulate()
    const socket = await openSocket(simulator)
    const body = JSON.stringify(hello)
    socket.write(head(body.length) + body.slice(0, body.length / 2))
    socket.end()
    await readAll(socket)
    await expectAlive(simulator)
    expect(exchanges).toHaveLength(1)
  })

  it('by a reset leaves nothing behind', async () => {
    const { simulator, exchanges } = await simulate()
    const socket = await openSocket(simulator)
    socket.write(`${head(100)}{`, () => socket.resetAndDestroy())
    await once(socket, 'close')
    await expectAlive(simulator)
    expect(exchanges).toHaveLength(1)
  })

  it('after its headers leaves nothing behind', async () => {
    const { simulator, exchanges } = await simulate()
    const socket = await openSocket(simulator)
    socket.end(head(100))
    await readAll(socket)
    await expectAlive(simulator)
    expect(exchanges).toHaveLength(1)
  })

  it('that is no HTTP at all gets a 400', async () => {
    const { simulator } = await simulate()
    const socket = await openSocket(simulator)
    socket.write('\u0000\u0001 nonsense\r\n\r\n')
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 /)
    await expectAlive(simulator)
  })

  it.each(['//', '/%', '/v1/models/%E0%A4%A', '/v1/messages/../../etc', '*'])(
    'to the path %s is refused',
    async (path) => {
      const { simulator } = await simulate()
      const socket = await openSocket(simulator)
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\nanthropic-version: 2026-10-21\r\nconnection: close\r\n\r\n`,
      )
      const answer = await readAll(socket)
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect(answer).toContain('"type":"error"')
      await expectAlive(simulator)
    },
  )

  it('tells the model when the client vanishes before the answer', async () => {
    let tell: (signal: AbortSignal) => void = () => undefined
    const asked = new Promise<AbortSignal>((resolve) => {
      tell = resolve
    })
    const { simulator, connect } = await simulate({
      model: scripted((turn) => {
        if (turn.messages[0]?.content[0]?.text !== 'wait') return 'ok'
        tell(turn.signal)
        return new Promise((_, reject) => turn.signal.addEventListener('abort', () => reject(new Error('left'))))
      }),
    })
    const leaving = new AbortController()
    const request = { ...hello, messages: [{ role: 'user' as const, content: 'wait' }] }
    const answer = rejection(connect().messages.create(request, { signal: leaving.signal }))
    const signal = await asked
    const told = once(signal, 'abort')
    leaving.abort()
    await told
    expect(await answer).toBeInstanceOf(Anthropic.APIUserAbortError)
    await expectAlive(simulator)
  })

  it('tells the model when the client vanishes in mid-stream', async () => {
    let signal: AbortSignal | undefined
    const { simulator, exchanges } = await simulate({
      model: scripted((turn) => {
        signal ??= turn.signal
        return words(signal === turn.signal ? 60_000 : 1)
      }),
      details: { pace: 1 },
    })
    const left = new Promise<string>((resolve) => simulator.observe(({ entry }) => resolve(entry.end)))
    const socket = await openSocket(simulator)
    const body = JSON.stringify({ ...hello, max_tokens: 128_000, stream: true })
    socket.write(head(body.length) + body)
    const [first] = await once(socket, 'data')
    expect(String(first)).toContain('message_start')
    expect(signal?.aborted).toBe(false)
    socket.destroy()
    expect(await left).toBe('left')
    expect(signal?.aborted).toBe(true)
    await expectAlive(simulator)
    expect(exchanges).toHaveLength(2)
  })

  it('is no leaving when the client has its whole answer', async () => {
    let signal: AbortSignal | undefined
    const { simulator } = await simulate({
      model: scripted((turn) => {
        signal = turn.signal
        return 'ok'
      }),
    })
    await send(simulator, hello, { connection: 'close' })
    await send(simulator, hello)
    expect(signal?.aborted).toBe(false)
  })
})

describe('a client that reads slowly', () => {
  it('gets all of a long stream, and is waited for without a warning', async () => {
    const warnings: string[] = []
    const hear = (warning: Error) => warnings.push(warning.name)
    process.on('warning', hear)
    onTestFinished(() => {
      process.off('warning', hear)
    })
    const { simulator } = await simulate({ model: scripted(() => words(120_000)) })
    const socket = await openSocket(simulator)
    const body = JSON.stringify({ ...hello, model: 'claude-sonnet-4-6', max_tokens: 128_000, stream: true })
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk
      socket.pause()
      setImmediate(() => socket.resume())
    })
    socket.write(`${head(body.length).replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')}${body}`)
    await once(socket, 'close')
    expect(received.length).toBeGreaterThan(1_000_000)
    expect(received).toContain('event: message_stop')
    expect(warnings).toEqual([])
  })
})

describe('many at once', () => {
  it('gives 200 streams, all whole and none mixed up', async () => {
    const { connect, simulator } = await simulate({
      model: scripted((turn) => words(150, String(turn.messages[0]?.content[0]?.text))),
    })
    const client = connect()
    const ask = async (number: number) => {
      const content = `client${number}x`
      const message = await client.messages.stream({ ...hello, messages: [{ role: 'user', content }] }).finalMessage()
      expect(textOf(message)).toBe(words(150, content))
      return message.id
    }
    const ids = await Promise.all(Array.from({ length: 200 }, (_, number) => ask(number)))
    expect(new Set(ids).size).toBe(200)
    expect(simulator.ledger.totals()).toMatchObject({ requests: 200, failed: 0 })
  })
})

describe('any request at all', () => {
  const valid = {
    ...hello,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    tools: [clock],
    tool_choice: { type: 'auto' },
    thinking: { type: 'adaptive' },
    output_config: { effort: 'low' },
    stop_sequences: ['END'],
    metadata: { user_id: 'me' },
    messages: [
      { role: 'user', content: 'What time is it?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'clock', input: { zone: 'UTC' } }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: '12' }] }],
      },
    ],
  }
  const betas = 'compact-2026-09-04,context-management-2025-06-27,mid-conversation-tool-changes-2026-07-01'
  const strange = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom<unknown>('__proto__', 'constructor', '\ud800', '\u0000', '', ' ', -0, 1e308, 2 ** 53, [], {}, null),
    fc.constantFrom<unknown>(
      { type: 'text' },
      { type: 'thinking', thinking: '', signature: 'x' },
      { type: 'compaction' },
    ),
    fc.constantFrom<unknown>({ type: 'image', source: null }, { type: 'document', source: { type: 'content' } }),
  )
  const mutation = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('replace', 'remove', 'add', 'double'),
    name: fc.oneof(
      fc.constantFrom('type', 'content', 'cache_control', 'citations', 'compaction', 'edits'),
      fc.string(),
    ),
    value: strange,
  })

  it('gets an answer or an error of the API, never a failure of the server', async () => {
    const failures: string[] = []
    const { simulator } = await simulate({ details: { report: (error) => failures.push(String(error.stack)) } })
    await fc.assert(
      fc.asyncProperty(
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('/v1/messages', '/v1/messages/count_tokens'),
        async (mutations, path) => {
          const answer = await send(simulator, mutations.reduce(mutate, valid), { 'anthropic-beta': betas }, path)
          if (answer.status !== 200) expectApiError(answer)
          else
            expect(path === '/v1/messages' ? answer.body.type : typeof answer.body.input_tokens).toMatch(
              /message|number/,
            )
        },
      ),
      { numRuns: 600, seed: 20_261_116 },
    )
    expect(failures).toEqual([])
    await expectAlive(simulator)
  })

  it('gets a 400 for a text that is not JSON', async () => {
    const { simulator } = await simulate()
    const source = JSON.stringify(valid)
    await fc.assert(
      fc.asyncProperty(fc.nat(source.length - 2), async (length) => {
        const answer = await send(simulator, source.slice(0, length + 1))
        expect(answer.status).toBe(400)
        expectApiError(answer)
      }),
      { numRuns: 100, seed: 20_261_116 },
    )
  })

  interface Mutation {
    readonly at: number
    readonly kind: string
    readonly name: string
    readonly value: unknown
  }

  /** Changes one place somewhere inside a request. */
  function mutate(request: object, { at, kind, name, value }: Mutation): object {
    const copy = structuredClone(request)
    const places = placesIn(copy)
    const place = places[at % places.length]
    if (!place) return copy
    const { owner, key } = place
    if (kind === 'replace') owner[key] = value
    else if (kind === 'remove') delete owner[key]
    else if (kind === 'add')
      Object.defineProperty(owner, name, { value, enumerable: true, configurable: true, writable: true })
    else if (Array.isArray(owner)) owner.push(structuredClone(owner[Number(key)]))
    return copy
  }

  function placesIn(value: unknown): { owner: Record<string, unknown>; key: string }[] {
    if (typeof value !== 'object' || value === null) return []
    const owner = value as Record<string, unknown>
    return Object.keys(owner).flatMap((key) => [{ owner, key }, ...placesIn(owner[key])])
  }
})
