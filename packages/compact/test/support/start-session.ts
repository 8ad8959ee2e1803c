import {
  createSession,
  type Json,
  resolveModel,
  type Session,
  type SessionEvent,
  type SessionOptions,
} from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { type CustomModel, type SimulatedModel, type Simulator, startSimulator } from '@nacre/simulator'
import { onTestFinished } from 'vitest'

export interface Setup {
  readonly simulator: Simulator
  /** The requests that came over the socket, with who asked and how they ended. */
  readonly requests: { readonly source: string; readonly body: string; readonly status: number }[]
  start(options?: Partial<SessionOptions>): Promise<Session>
}

export interface SetupOptions {
  readonly model?: string
  /** A smaller window than the model's own. */
  readonly window?: number
  /** As the API takes it; models that think only when told need it. */
  readonly thinking?: Json
  /** Models of the simulator's own. */
  readonly models?: readonly CustomModel[]
}

/** A simulator that the model given answers for, and sessions that talk to it over a socket. All end with the test. */
export async function setUp(answers: SimulatedModel, options: SetupOptions = {}): Promise<Setup> {
  const { model = 'claude-sonnet-4-6', window, models = [], thinking } = options
  const simulator = await startSimulator({ model: answers, models })
  onTestFinished(() => simulator.close())
  const requests: Setup['requests'] = []
  simulator.observe(({ body, entry }) => requests.push({ source: entry.source, body, status: entry.status }))
  const resolved = window === undefined ? model : resolveModel(model, { window })
  const settings = { apiKey: 'test', baseURL: simulator.url, ...(thinking !== undefined && { thinking }) }
  const connected = anthropicModel({ model: resolved, ...settings })
  return {
    simulator,
    requests,
    async start(asked = {}) {
      const effects = { wait: () => undefined, ...asked.details?.effects }
      const details = { ...asked.details, effects }
      const session = await createSession({ model: connected, system: 'You work.', ...asked, details })
      onTestFinished(() => session.close())
      return session
    },
  }
}

/** Runs a query to its end. */
export async function eventsOf(events: AsyncIterable<SessionEvent>): Promise<SessionEvent[]> {
  const all: SessionEvent[] = []
  for await (const event of events) all.push(event)
  return all
}
