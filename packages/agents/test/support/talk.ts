import {
  type Block,
  createSession,
  memoryStore,
  type Plugin,
  type Request,
  type Session,
  type SessionDetails,
  type SessionEvent,
  type Store,
  type Timer,
  type Tool,
} from '@nacre/core'
import { type ScriptedModel, type ScriptedTurn, scriptedModel } from '@nacre/core/testing'
import { onTestFinished } from 'vitest'
import { type AgentsOptions, createAgents, type Team } from '../../src/index.js'

/** Timers that fire when a test says so. */
export interface Clock {
  readonly timer: Timer
  now(): number
  /** Lets time pass, and what is due happen, in order. */
  pass(milliseconds: number): Promise<void>
}

export function handClock(): Clock {
  let time = 0
  let timers: { readonly at: number; readonly fire: () => void }[] = []
  return {
    now: () => time,
    timer(milliseconds, fire) {
      const timer = { at: time + milliseconds, fire }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
    async pass(milliseconds) {
      const end = time + milliseconds
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0]
        if (!next) break
        time = next.at
        timers = timers.filter((each) => each !== next)
        next.fire()
        await settled()
      }
      time = end
      await settled()
    },
  }
}

/** What waits for nothing but its turn has had it. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export const sourceOf = ({ fields }: Request): string => String(fields.extra?.source)

/** The words of the last message of a request, blocks without words by their type. */
export function lastWords({ messages }: Request): string {
  const { content } = messages.at(-1) as unknown as { readonly content: readonly Block[] }
  return content.map(({ type, text, content: inner }) => String(text ?? wordsIn(inner) ?? type)).join('\n')
}

function wordsIn(content: unknown): string | undefined {
  return Array.isArray(content) ? (content as Block[]).map(({ text }) => String(text ?? '')).join('\n') : undefined
}

export const use = (name: string, input: object): Block => ({ type: 'tool_use', name, input })
export const startAgent = (input: object): Block => use('Agent', { description: 'a task', ...input })

interface TalkOptions {
  readonly agents?: AgentsOptions
  readonly plugins?: readonly Plugin[]
  readonly tools?: readonly Tool[]
  readonly store?: Store
  readonly details?: SessionDetails
  readonly flags?: Readonly<Record<string, boolean>>
  readonly resume?: string
  readonly cwd?: string
}

export interface Talk {
  readonly session: Session
  readonly model: ScriptedModel
  readonly team: Team
  readonly store: Store
  say(prompt?: string): Promise<readonly SessionEvent[]>
  /** The requests of one who asks. */
  asked(source: string): readonly Request[]
}

/** A session with agents on a model that answers by who asks. */
export async function talk(
  script: (source: string, words: string, request: Request) => ScriptedTurn,
  { agents = {}, plugins = [], tools = [], store = memoryStore(), details = {}, flags, resume, cwd }: TalkOptions = {},
): Promise<Talk> {
  const model = scriptedModel((request) => script(sourceOf(request), lastWords(request), request))
  const layer = createAgents(agents)
  const session = await createSession({
    model,
    plugins: [...plugins, layer.plugin],
    tools,
    store,
    details: { ...details, effects: { wait: () => undefined, ...details.effects } },
    ...(flags && { flags }),
    ...(cwd !== undefined && { cwd }),
    ...(resume !== undefined && { open: { resume } }),
  })
  onTestFinished(() => session.close())
  return {
    session,
    model,
    team: layer.of(session.id) as Team,
    store,
    say: (prompt) => eventsOf(session.query(prompt)),
    asked: (source) => model.requests.filter((request) => sourceOf(request) === source),
  }
}

export async function eventsOf(events: AsyncIterable<SessionEvent>): Promise<readonly SessionEvent[]> {
  const all: SessionEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** A tool that ends when its test says so, or never. */
export function gateTool(name = 'gate'): Tool & { open(): void; readonly entered: Promise<void> } {
  let open = () => {}
  let enter = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const entered = new Promise<void>((resolve) => (enter = resolve))
  return {
    name,
    description: 'Waits.',
    schema: { json: { type: 'object' }, parse: (input) => input },
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    async run() {
      enter()
      await gate
      return { content: [{ type: 'text', text: 'open' }] }
    },
    open: () => open(),
    entered,
  }
}
