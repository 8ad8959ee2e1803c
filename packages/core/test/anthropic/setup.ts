import {
  type Exchange,
  type Simulator,
  type SimulatorOptions,
  scripted,
  startSimulator,
  stillClock,
} from '@nacre/simulator'
import { onTestFinished } from 'vitest'
import { type AnthropicModelOptions, anthropicModel } from '../../src/anthropic/index.js'
import type { Block, Json } from '../../src/types/log.js'
import type { Model, ModelEvent, Request } from '../../src/types/model.js'

export interface Setup {
  readonly simulator: Simulator
  readonly exchanges: readonly Exchange[]
  connect(options?: Partial<AnthropicModelOptions>): Model
}

/** A simulator on a still clock, which ends with the test, and the adapter that talks to it. */
export async function setUp(options: SimulatorOptions = {}): Promise<Setup> {
  const simulator = await startSimulator({ clock: stillClock(), model: scripted(() => 'ok'), ...options })
  onTestFinished(() => simulator.close())
  const exchanges: Exchange[] = []
  simulator.observe((exchange) => exchanges.push(exchange))
  return {
    simulator,
    exchanges,
    connect: (more = {}) =>
      anthropicModel({ model: 'claude-opus-5-5', apiKey: 'key', baseURL: simulator.url, ...more }),
  }
}

export function requestOf(messages: readonly Json[], more: Partial<Request> = {}): Request {
  const epoch = { system: [], tools: [] }
  return { model: 'claude-opus-5-5', epoch, messages, fields: { maxTokens: 4_000 }, prefix: '', ...more }
}

export const HELLO = requestOf([{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }])

/** All events of a call. */
export async function eventsOf(model: Model, request = HELLO, signal = new AbortController().signal) {
  const events: ModelEvent[] = []
  for await (const event of model.stream(request, signal)) events.push(event)
  return events
}

export function blocksOf(events: readonly ModelEvent[]): Block[] {
  return events.flatMap((event) => (event.type === 'block' ? [event.block] : []))
}

/** The end of a response as the adapter gives it. */
export function endOf(events: readonly ModelEvent[]) {
  const end = events.at(-1)
  if (end?.type !== 'end') throw new Error('The response has no end.')
  return end
}
