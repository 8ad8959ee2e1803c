import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk'
import { onTestFinished } from 'vitest'
import {
  type Exchange,
  type Simulator,
  type SimulatorOptions,
  scripted,
  startSimulator,
  stillClock,
} from '../../src/index.js'

export interface Simulated {
  readonly simulator: Simulator
  readonly client: Anthropic
  /** Every exchange so far, oldest first. */
  readonly exchanges: readonly Exchange[]
  /** Another client of the same simulator. */
  connect(options?: ClientOptions): Anthropic
}

/** A simulator on a still clock that says "ok" to everything, and a client that never retries; both end with the test. */
export async function simulate(options: SimulatorOptions = {}): Promise<Simulated> {
  const simulator = await startSimulator({ clock: stillClock(), model: scripted(() => 'ok'), ...options })
  onTestFinished(() => simulator.close())
  const exchanges: Exchange[] = []
  simulator.observe((exchange) => exchanges.push(exchange))
  const connect = (more: ClientOptions = {}) =>
    new Anthropic({ apiKey: 'key', baseURL: simulator.url, maxRetries: 0, logLevel: 'off', ...more })
  return { simulator, client: connect(), exchanges, connect }
}

/** The error that a promise is rejected with. */
export async function rejection(promise: PromiseLike<unknown>): Promise<InstanceType<typeof Anthropic.APIError>> {
  try {
    await promise
  } catch (error) {
    return error as InstanceType<typeof Anthropic.APIError>
  }
  throw new Error('The request was taken.')
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly error?: { readonly type: string; readonly message: string }
    readonly [field: string]: unknown
  }
}

/** A plain request to the simulator, for what the SDK would not send. */
export async function send(
  simulator: Simulator,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/v1/messages',
): Promise<Answered> {
  const response = await fetch(simulator.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2026-10-21', 'x-api-key': 'key', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answered['body'] }
}

/** About so many tokens of text, the same for the same seed and different for different ones. */
export function words(count: number, seed = 'word'): string {
  return Array.from({ length: count }, (_, index) => `${seed}${index % 97}`).join(' ')
}
