import { createSession, type Plugin, type Session, type SessionDetails, type SessionOptions } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import {
  type Block,
  type SimulatedModel,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from '@nacre/simulator'
import { onTestFinished } from 'vitest'
import { type AgentsOptions, createAgents, type Team } from '../../src/index.js'

export interface Simulated {
  readonly simulator: Simulator
  readonly session: Session
  readonly team: Team
  readonly bodies: { readonly source: string; readonly body: string }[]
}

interface SimulatedOptions {
  readonly agents?: AgentsOptions
  readonly plugins?: readonly Plugin[]
  readonly session?: Partial<SessionOptions>
  readonly simulator?: Partial<SimulatorOptions>
  readonly details?: SessionDetails
}

/** A session with agents against the simulator: the real client, over a real socket. */
export async function simulated(
  model: SimulatedModel,
  { agents = {}, plugins = [], session: more = {}, simulator: simulating = {}, details = {} }: SimulatedOptions = {},
): Promise<Simulated> {
  const simulator = await startSimulator({ model, ...simulating })
  onTestFinished(() => simulator.close())
  const bodies: Simulated['bodies'] = []
  simulator.observe(({ body, entry }) => bodies.push({ source: entry.source, body }))
  const layer = createAgents(agents)
  const session = await createSession({
    model: anthropicModel({ model: 'claude-opus-5-5', apiKey: 'test', baseURL: simulator.url }),
    system: 'You work.',
    ...more,
    plugins: [...plugins, layer.plugin],
    details: { ...details, effects: { wait: () => undefined, ...details.effects } },
  })
  onTestFinished(() => session.close())
  return { simulator, session, team: layer.of(session.id) as Team, bodies }
}

/** What was said last, and what the last results say. */
export function lastSaid(messages: readonly { readonly content: unknown }[]): string {
  const { content } = messages.at(-1) ?? {}
  if (!Array.isArray(content)) return String(content)
  return (content as Block[])
    .map((block) => {
      const { text, content: inner } = block as { readonly text?: string; readonly content?: unknown }
      return (
        text ??
        (Array.isArray(inner) ? (inner as { text?: string }[]).map((part) => part.text).join('\n') : String(inner))
      )
    })
    .join('\n')
}
