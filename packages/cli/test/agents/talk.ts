import { createAgents, type Team } from '@nacre/agents'
import {
  type Block,
  createSession,
  memoryStore,
  type Request,
  type Session,
  type SessionEvent,
  type SessionOptions,
} from '@nacre/core'
import { type ScriptedTurn, scriptedModel } from '@nacre/core/testing'
import { onTestFinished } from 'vitest'

interface Talk {
  readonly session: Session
  readonly team: Team
  say(prompt?: string): Promise<readonly SessionEvent[]>
  /** The requests of one who asks. */
  asked(source: string): readonly Request[]
}

const sourceOf = ({ fields }: Request): string => String(fields.extra?.source)

/** A session with agents and all that `options` bring, on a model that answers by who asks. */
export async function talk(
  script: (source: string, words: string, request: Request) => ScriptedTurn,
  options: Partial<SessionOptions>,
): Promise<Talk> {
  const model = scriptedModel((request) => script(sourceOf(request), lastWords(request), request))
  const layer = createAgents()
  const plugins = [...(options.plugins ?? []), layer.plugin]
  const session = await createSession({ model, store: memoryStore(), ...options, plugins })
  onTestFinished(() => session.close())
  return {
    session,
    team: layer.of(session.id) as Team,
    say: (prompt) => eventsOf(session.query(prompt)),
    asked: (source) => model.requests.filter((request) => sourceOf(request) === source),
  }
}

/** The words of the last message of a request, results included. */
export function lastWords(request: Request | undefined): string {
  const { content = [] } = (request?.messages.at(-1) ?? {}) as unknown as { readonly content?: readonly Block[] }
  return content.map(({ type, text, content: inner }) => String(text ?? wordsIn(inner) ?? type)).join('\n')
}

function wordsIn(content: unknown): string | undefined {
  return Array.isArray(content) ? (content as Block[]).map(({ text }) => String(text ?? '')).join('\n') : undefined
}

export const use = (name: string, input: object): Block => ({ type: 'tool_use', name, input })
export const startAgent = (input: object): Block => use('Agent', { description: 'a task', ...input })

export async function eventsOf(events: AsyncIterable<SessionEvent>): Promise<readonly SessionEvent[]> {
  const all: SessionEvent[] = []
  for await (const event of events) all.push(event)
  return all
}
