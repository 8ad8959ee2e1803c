import {
  createSession,
  memoryStore,
  resolveModel,
  type Session,
  type SessionEvent,
  type SessionOptions,
  type Tool,
} from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { type SimulatedModel, startSimulator, stillClock } from '@nacre/simulator'
import { onTestFinished } from 'vitest'
import { type CompactOptions, compact } from '../../src/index.js'

export interface Exchange {
  readonly source: string
  readonly status: number
  readonly body: Body
  readonly applied: readonly { readonly type: string; readonly [count: string]: unknown }[]
  readonly read: number
  readonly prompt: number
  readonly output: number
}

export interface Body {
  readonly messages: readonly { readonly role: string; readonly content: readonly SentBlock[] | string }[]
  readonly context_management?: {
    readonly edits: readonly { readonly type: string; readonly [key: string]: unknown }[]
  }
  readonly compaction?: unknown
}

export interface SentBlock {
  readonly type: string
  readonly [field: string]: unknown
}

export interface EraseOptions {
  readonly model?: string
  readonly window?: number
  readonly cacheEdits?: boolean
  readonly flags?: Readonly<Record<string, boolean>>
  readonly compact?: CompactOptions
  /** How long each result is, about. */
  readonly words?: number
  readonly name?: (number: number) => string
  readonly input?: (number: number) => Readonly<Record<string, unknown>>
  readonly answers?: SimulatedModel
  readonly session?: Partial<SessionOptions>
}

/** A session whose model thinks and calls a tool again and again, on a server that refuses thinking on another prefix. */
export async function eraseSession(options: EraseOptions = {}) {
  const { model = 'claude-opus-5-5', window = 60_000, cacheEdits = false, name = () => 'Read' } = options
  const clock = stillClock(Date.UTC(2026, 10, 1))
  let called = 0
  let left = 0
  const answers: SimulatedModel = (turn) => {
    const own = turn.purpose === 'message' && turn.source === 'main'
    if (!own && options.answers) return options.answers(turn)
    if (left === 0)
      return [
        { type: 'thinking', thinking: `That was call ${called}.` },
        { type: 'text', text: 'Done.' },
      ]
    left -= 1
    const number = called++
    const input = options.input?.(number) ?? { file_path: `src/part-${number}.ts` }
    return [
      { type: 'thinking', thinking: `I look at part ${number}, since part ${number - 1} said so.` },
      { type: 'tool_use', id: `toolu_${number}`, name: name(number), input },
    ]
  }
  const simulator = await startSimulator({
    model: answers,
    clock,
    account: { thinkingBinding: 'enforced' },
    details: { extensions: cacheEdits ? ['cache-edits'] : [] },
  })
  onTestFinished(() => simulator.close())
  const exchanges: Exchange[] = []
  simulator.observe(({ body, entry, response }) => exchanges.push(toExchange(body, entry, response)))
  const resolved = resolveModel(model, { window })
  const connected = anthropicModel({ model: resolved, apiKey: 'test', baseURL: simulator.url, cacheEdits })
  const store = memoryStore()
  const result = (number: number) => longText(number, options.words ?? 2_800)
  const events: SessionEvent[] = []
  const tools = [...new Set(Array.from({ length: 60 }, (_, number) => name(number)))].map((each) =>
    toolNamed(each, result),
  )
  const start = async (more: Partial<SessionOptions> = {}): Promise<Session> => {
    const session = await createSession({
      model: connected,
      system: 'You work.',
      tools,
      plugins: [compact(options.compact)],
      flags: { 'compact.digest': true, ...options.flags },
      store,
      details: { effects: { now: clock.now, wait: () => undefined } },
      ...options.session,
      ...more,
    })
    onTestFinished(() => session.close())
    return session
  }
  return {
    simulator,
    clock,
    exchanges,
    events,
    start,
    /** Works on a prompt to its end, with so many calls. */
    async run(session: Session, calls: number, prompt = 'Read on.'): Promise<SessionEvent[]> {
      left = calls
      const own: SessionEvent[] = []
      for await (const event of session.query(prompt)) own.push(event)
      events.push(...own)
      return own
    },
  }
}

interface Answered {
  readonly context_management?: { readonly applied_edits?: Exchange['applied'] } | null
}

function toExchange(
  body: string,
  entry: {
    source: string
    status: number
    read: number
    write5m: number
    write1h: number
    input: number
    output: number
  },
  response: unknown,
): Exchange {
  return {
    source: entry.source,
    status: entry.status,
    body: JSON.parse(body) as Body,
    applied: (response as Answered | null)?.context_management?.applied_edits ?? [],
    read: entry.read,
    prompt: entry.read + entry.write5m + entry.write1h + entry.input,
    output: entry.output,
  }
}

/** A text that names its number in every line. */
export function longText(number: number, words: number): string {
  const line = (index: number) => `part ${number} line ${index} holds value ${(number * 7919 + index * 104_729) % 9973}`
  return Array.from({ length: Math.ceil(words / 8) }, (_, index) => line(index)).join('\n')
}

function toolNamed(name: string, result: (number: number) => string): Tool {
  return {
    name,
    description: `${name} gives a text.`,
    schema: { json: { type: 'object' }, parse: (input) => input },
    isCompactable: true,
    isReadOnly: () => name !== 'Write',
    isConcurrencySafe: () => false,
    run: (_input, { callId }) => ({ content: [{ type: 'text', text: result(Number(callId.split('_')[1])) }] }),
  }
}

export function blocksOf(body: Body): SentBlock[] {
  return body.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]))
}

export function clearsIn(body: Body, type = 'clear_tool_uses_20250919') {
  return body.context_management?.edits.find((edit) => edit.type === type)
}
