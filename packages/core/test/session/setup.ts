import { type SimulatedModel, type Simulator, type SimulatorOptions, startSimulator } from '@nacre/simulator'
import { onTestFinished } from 'vitest'
import { type AnthropicModelOptions, anthropicModel } from '../../src/anthropic/index.js'
import { createSession } from '../../src/session/create-session.js'
import type { Session, SessionDetails, SessionOptions } from '../../src/session/types.js'
import type { SessionEvent } from '../../src/types/events.js'
import type { Tool } from '../../src/types/tool.js'

export const MODEL = 'claude-opus-5-5'

/** A tool that reads a file that nobody has. */
export const readFile: Tool = {
  name: 'read_file',
  description: 'Reads a file.',
  schema: {
    json: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    parse: (input) => input,
  },
  isCompactable: true,
  reads: (input) => (input as { path: string }).path,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: (input) => ({ content: [{ type: 'text', text: contentOf((input as { path: string }).path) }] }),
}

function contentOf(path: string): string {
  return Array.from({ length: 40 }, (_, line) => `${path}:${line}: const value${line} = compute(${line * 7})`).join(
    '\n',
  )
}

export interface Setup {
  readonly simulator: Simulator
  readonly bodies: string[]
  readonly exchanges: { readonly body: string; readonly status: number }[]
  start(options?: Partial<SessionOptions>): Promise<Session>
}

export async function setUp(
  model: SimulatedModel,
  simulated: Partial<SimulatorOptions> = {},
  adapter: Partial<AnthropicModelOptions> = {},
): Promise<Setup> {
  const simulator = await startSimulator({ model, ...simulated })
  onTestFinished(() => simulator.close())
  const bodies: string[] = []
  const exchanges: Setup['exchanges'] = []
  simulator.observe(({ body, entry }) => {
    if (entry.source === 'main') bodies.push(body)
    exchanges.push({ body, status: entry.status })
  })
  const connected = anthropicModel({ model: MODEL, apiKey: 'test', baseURL: simulator.url, ...adapter })
  return {
    simulator,
    bodies,
    exchanges,
    async start(options = {}) {
      const details: SessionDetails = {
        ...options.details,
        effects: { wait: () => undefined, ...options.details?.effects },
      }
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
  }
}

export async function eventsOf(events: AsyncIterable<SessionEvent>): Promise<SessionEvent[]> {
  const all: SessionEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** The places of a request that are marked, each with what stands there. */
export function marksOf(body: string): string[] {
  const marks: string[] = []
  const look = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'cache_control') marks.push(`${path}: ${JSON.stringify(inner)}`)
      else look(inner, `${path}/${key}`)
    }
  }
  look(JSON.parse(body), '')
  return marks
}
