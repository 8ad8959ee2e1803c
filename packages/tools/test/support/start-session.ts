import { createSession, type Session, type SessionEvent, type SessionOptions } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { type SimulatedModel, type Simulator, startSimulator } from '@nacre/simulator'
import { onTestFinished } from 'vitest'

export interface Setup {
  readonly simulator: Simulator
  /** The requests of the conversation itself, as they came over the socket. */
  readonly bodies: string[]
  start(options?: Partial<SessionOptions>): Promise<Session>
}

/** A simulator that the model given answers for, and sessions that talk to it over a socket. All end with the test. */
export async function setUp(model: SimulatedModel): Promise<Setup> {
  const simulator = await startSimulator({ model })
  onTestFinished(() => simulator.close())
  const bodies: string[] = []
  simulator.observe(({ body, entry }) => {
    if (entry.source === 'main') bodies.push(body)
  })
  const connected = anthropicModel({ model: 'claude-opus-5-5', apiKey: 'test', baseURL: simulator.url })
  return {
    simulator,
    bodies,
    async start(options = {}) {
      const effects = { wait: () => undefined, ...options.details?.effects }
      const details = { ...options.details, effects }
      const session = await createSession({ model: connected, system: 'You work.', ...options, details })
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
