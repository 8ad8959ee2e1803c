import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Chance, chanceOf } from './chance.js'
import { type Event, oddAnswer, oddSummary, words } from './odd-answers.js'
import { refusalOf } from './refusal.js'

/** What one session has asked, by the first part of its path. */
export interface Asked {
  requests: number
  /** Answers by what was odd about them, so that a run can show that it met each kind. */
  readonly kinds: Map<string, number>
  /** Requests that the API would have refused. */
  readonly refused: string[]
  summaries: number
}

export interface OddServer {
  readonly url: string
  /** A session of its own chance. */
  session(seed: number): { readonly url: string; readonly asked: Asked }
  close(): Promise<void>
}

/** A server of the Messages API that is odd at random, and shares no code with the simulator. `isKind`: only its summaries are odd. */
export async function startOddServer(isKind = false): Promise<OddServer> {
  const sessions = new Map<string, { readonly asked: Asked; readonly chance: Chance }>()
  const server = createServer((request, response) => {
    const [, key = ''] = (request.url ?? '').split('/')
    const session = sessions.get(key)
    if (!session) return void response.writeHead(404).end()
    response.on('error', () => undefined)
    readBody(request).then(
      (body) => answer(request, response, body, session, isKind),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    session(seed) {
      const asked = { requests: 0, kinds: new Map<string, number>(), refused: [], summaries: 0 }
      sessions.set(String(seed), { asked, chance: chanceOf(seed) })
      return { url: `${url}/${seed}`, asked }
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

type Session = { readonly asked: Asked; readonly chance: Chance }

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  session: Session,
  isKind: boolean,
): void {
  const { asked, chance } = session
  const tokens = Math.round(body.length / 4)
  if (request.url?.includes('count_tokens')) {
    json(
      response,
      200,
      chance.is(0.8) || isKind ? { input_tokens: tokens } : chance.pick<object>([{}, { input_tokens: null }]),
    )
    return
  }
  asked.requests += 1
  const refusal = refusalOf(body)
  if (refusal) {
    asked.refused.push(refusal)
    json(response, 400, { type: 'error', error: { type: 'invalid_request_error', message: refusal } })
    return
  }
  const source = String(request.headers['x-nacre-source'] ?? 'main')
  const [kind, act] = isKind ? (['kind', writeAnswer] as const) : pickKind(chance)
  asked.kinds.set(kind, (asked.kinds.get(kind) ?? 0) + 1)
  act(response, eventsFor(session, source, body, tokens, isKind), chance)
}

function eventsFor({ asked, chance }: Session, source: string, body: string, tokens: number, isKind: boolean) {
  if (source !== 'compact') {
    if (!isKind) return oddAnswer(chance, tokens)
    const findings = Array.from({ length: 20 }, () => `${words(chance, 120)}.`)
    return plainAnswer(`I looked at it. ${findings.join(' ')}`, tokens)
  }
  asked.summaries += 1
  const said = [...new Set(body.match(/src\/[a-z]+\.ts|step \d+/g) ?? [])].slice(-12).join(', ')
  const summary = oddSummary(chance, `What was asked: ${said}.`)
  return isKind ? plainAnswer(summary, tokens) : oddAnswer(chance, tokens, [{ type: 'text', text: summary }])
}

function plainAnswer(text: string, tokens: number): readonly Event[] {
  return [
    { type: 'message_start', message: { id: 'msg_plain', usage: { input_tokens: tokens, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: Math.round(text.length / 4) },
    },
    { type: 'message_stop' },
  ]
}

type Act = (response: ServerResponse, events: readonly Event[], chance: Chance) => void

const WAITS = [
  {},
  {},
  { 'retry-after': '1' },
  { 'retry-after': '99999999999' },
  { 'retry-after': '-1' },
  { 'retry-after': 'NaN' },
]

const failing =
  (status: number, type: string, message = 'No.'): Act =>
  (response, _events, chance) =>
    json(response, status, { type: 'error', error: { type, message } }, chance.pick(WAITS))

const KINDS: readonly (readonly [share: number, kind: string, act: Act])[] = [
  [0.02, '429', failing(429, 'rate_limit_error')],
  [0.02, '529', failing(529, 'overloaded_error')],
  [0.02, '500', failing(500, 'api_error')],
  [0.005, 'too long', failing(400, 'invalid_request_error', 'prompt is too long: 40000 tokens > 39000 maximum')],
  [0.01, 'no json', (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>')],
  [0.04, 'cut', cutAnywhere],
  [
    0.01,
    'error event',
    (response, events) =>
      writeAnswer(response, [
        ...events.slice(0, 2),
        { type: 'error', error: { type: 'overloaded_error', message: 'Later.' } },
      ]),
  ],
  [
    0.01,
    'nonsense',
    (response) =>
      void response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end('event: message_start\ndata: {"type":\n\n'),
  ],
  [0.004, 'no headers', () => undefined],
  [0.004, 'silence', (response, events) => void head(response).write(text(events.slice(0, 2)))],
]

function pickKind(chance: Chance): readonly [string, Act] {
  let left = chance.next()
  for (const [share, kind, act] of KINDS) {
    left -= share
    if (left < 0) return [kind, act]
  }
  return ['answer', writeAnswer]
}

function cutAnywhere(response: ServerResponse, events: readonly Event[], chance: Chance): void {
  const whole = Buffer.from(text(events))
  const end = chance.is(0.5) ? () => response.end() : () => response.destroy()
  head(response).write(whole.subarray(0, 1 + chance.below(whole.length)), end)
}

function writeAnswer(response: ServerResponse, events: readonly Event[]): void {
  head(response).end(text(events))
}

function head(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' })
}

function text(events: readonly Event[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
