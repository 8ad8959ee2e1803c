import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type SimulatedModel, type SimulatorOptions, startSimulator } from '@nacre/simulator'
import { onTestFinished } from 'vitest'
import { type AnthropicModelOptions, anthropicModel } from '../../src/anthropic/index.js'
import { createSession } from '../../src/session/create-session.js'
import type { Session, SessionOptions } from '../../src/session/types.js'
import type { Model } from '../../src/types/model.js'
import { eventsOf, MODEL, readFile } from '../session/setup.js'

/** What comes over the wire instead of an answer of the simulator: events, or whatever a test writes. */
export type Odd = readonly object[] | ((response: ServerResponse) => void)

export interface Odds {
  readonly model: Model
  readonly statuses: number[]
  readonly bodies: string[]
  readonly waits: number[]
  start(options?: Partial<SessionOptions>): Promise<Session>
  /** A prompt's events; its end is the last. */
  ask(session: Session, prompt: string | undefined): ReturnType<typeof eventsOf>
}

/** A server that answers the first requests as told, and passes all later ones on to the simulator, which refuses what the API refuses. */
export async function oddFirst(
  odd: readonly Odd[],
  model: SimulatedModel,
  options: Partial<SimulatorOptions> = {},
  adapter: Partial<AnthropicModelOptions> = {},
): Promise<Odds> {
  const simulator = await startSimulator({ model, ...options })
  onTestFinished(() => simulator.close())
  const left = [...odd]
  const statuses: number[] = []
  const bodies: string[] = []
  const waits: number[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    bodies.push(body)
    const next = left.shift()
    if (typeof next === 'function') return next(response)
    if (next) return writeEvents(response, next)
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      /^(anthropic|authorization|content-type|x-)/.test(name) ? [[name, String(value)]] : [],
    )
    const answer = await fetch(`${simulator.url}${request.url}`, { method: 'POST', headers, body })
    statuses.push(answer.status)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const connected = anthropicModel({ model: MODEL, apiKey: 'test', baseURL, ...adapter })
  return {
    model: connected,
    statuses,
    bodies,
    waits,
    async start(options = {}) {
      const effects = { wait: (milliseconds: number) => void waits.push(milliseconds), ...options.details?.effects }
      const details = { ...options.details, effects }
      const session = await createSession({
        model: connected,
        tools: [readFile],
        system: 'You work.',
        ...options,
        details,
      })
      onTestFinished(() => session.close())
      return session
    },
    ask: (session, prompt) => eventsOf(session.query(prompt)),
  }
}

function writeEvents(response: ServerResponse, events: readonly object[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(eventText(event))
  response.end()
}

export function eventText(event: object): string {
  const { type } = event as { readonly type?: string }
  return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`
}

export const START = {
  type: 'message_start',
  message: {
    id: 'msg_odd',
    type: 'message',
    role: 'assistant',
    content: [],
    usage: { input_tokens: 9, output_tokens: 1 },
  },
}

/** An answer of whole blocks. A call's input comes as the text that is given for it. */
export function answerOf(
  stop: string,
  ...blocks: readonly { readonly type: string; readonly json?: string; readonly [field: string]: unknown }[]
): object[] {
  const body = blocks.flatMap(({ json, ...block }, index) => [
    { type: 'content_block_start', index, content_block: block },
    ...(json === undefined
      ? []
      : [{ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } }]),
    { type: 'content_block_stop', index },
  ])
  return [
    START,
    ...body,
    { type: 'message_delta', delta: { stop_reason: stop }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]
}

export const call = (id: unknown, name: unknown, json?: string) => ({
  type: 'tool_use',
  id,
  name,
  input: {},
  ...(json !== undefined && { json }),
})
