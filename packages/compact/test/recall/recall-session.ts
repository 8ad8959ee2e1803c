import {
  type Block,
  definePlugin,
  type HookContext,
  type Json,
  memoryStore,
  type Plugin,
  type Session,
  type Store,
  type Tool,
} from '@nacre/core'
import type { ModelTurn } from '@nacre/simulator'
import { compact } from '../../src/index.js'
import { eventsOf, type Setup, setUp } from '../support/start-session.js'

export interface Call {
  readonly name: string
  readonly input: Json
}

export interface RecallSession {
  readonly session: Session
  readonly setup: Setup
  readonly store: Store
  /** Sends a prompt; the model makes these calls, all at once, and is done. Gives what the tools gave. */
  say(prompt: string | readonly Block[], ...calls: readonly Call[]): Promise<string[]>
  /** Makes the model call Recall. */
  recall(input: Json): Promise<string>
  /** Replaces a block of an entry, as a plugin that redacts does. */
  replace(entry: string, content: readonly Block[], redacts?: true): Promise<void>
  /** The id of the last entry that holds these words in the view. */
  idOf(words: string): string
  resume(): Promise<RecallSession>
}

/** Without clearing and summaries by a model, folds are digests: the same each time. */
const FLAGS = { 'compact.clear': false, 'compact.api': false, 'compact.summary': false }

const outputs: string[] = []

/** Gives an output by its number, so that its words stand in the result alone. */
const look: Tool<{ readonly at: number }> = {
  name: 'Look',
  description: 'Gives an output.',
  schema: { json: { type: 'object' }, parse: (input) => input as { at: number } },
  isCompactable: true,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: ({ at }) => ({ content: [{ type: 'text', text: outputs[at] ?? '' }] }),
}

export interface RecallSessionOptions {
  readonly window?: number
  readonly flags?: Readonly<Record<string, boolean>>
  readonly plugins?: readonly Plugin[]
  readonly tools?: readonly Tool[]
  readonly store?: Store
  readonly open?: { readonly resume: string } | { readonly fork: string }
}

/** A session whose model makes the calls that a test wants, over the socket. */
export async function recallSession(options: RecallSessionOptions = {}): Promise<RecallSession> {
  const { window, flags = {}, plugins = [], tools = [], store = memoryStore(), open } = options
  let next: readonly Call[] = []
  const answers = ({ messages }: ModelTurn) => {
    const calls = next
    next = []
    if (calls.length === 0) return `Done after ${messages.length} messages.`
    return calls.map(({ name, input }) => ({ type: 'tool_use' as const, name, input: input as never }))
  }
  let hook: HookContext | undefined
  const editor = definePlugin({
    name: 'editor',
    setup: () => ({
      hooks: {
        SessionStart: (_event, context) => {
          hook = context
        },
      },
    }),
  })
  const setup = await setUp(answers, window === undefined ? {} : { window })
  let time = Date.UTC(2026, 0, 1)
  const session = await setup.start({
    plugins: [compact(), editor, ...plugins],
    tools: [look, ...tools],
    flags: { ...FLAGS, ...flags },
    store,
    ...(open && { open }),
    details: { effects: { now: () => (time += 1_000) } },
  })
  const say: RecallSession['say'] = async (prompt, ...calls) => {
    next = calls
    const events = await eventsOf(session.query(prompt))
    const end = events.at(-1)
    if (end?.type === 'end' && end.reason !== 'done') throw end.error ?? new Error(end.reason)
    // A call that was refused before it ran has a result too, but no event.
    const blocks = session.view().rounds.flatMap(({ entries }) => entries.flatMap(({ content }) => content))
    const results = blocks.filter(({ type }) => type === 'tool_result')
    return calls.length === 0 ? [] : results.slice(-calls.length).map(({ content }) => textOf(content))
  }
  return {
    session,
    setup,
    store,
    say,
    recall: async (input) => (await say('Look it up.', { name: 'Recall', input }))[0] ?? '',
    async replace(entry, content, redacts) {
      const change = { kind: 'replace' as const, target: { entry, block: 0 }, content, ...(redacts && { redacts }) }
      const done = await hook?.propose({ reason: 'test', changes: [change] })
      if (!done || 'refused' in done) throw new Error(done?.refused ?? 'no session')
    },
    idOf(words) {
      const entries = session.view().rounds.flatMap((round) => round.entries)
      const found = entries.findLast(({ content }) => JSON.stringify(content).includes(words))
      if (!found) throw new Error(`Nothing in view has ${words}.`)
      return found.id
    },
    async resume() {
      await session.close()
      return recallSession({ ...options, store, open: { resume: session.id } })
    },
  }
}

function textOf(content: unknown): string {
  return typeof content === 'string'
    ? content
    : (content as readonly Block[]).map(({ text }) => String(text)).join('\n')
}

/** A call whose result is that text. */
export function gives(text: string): Call {
  return { name: 'Look', input: { at: outputs.push(text) - 1 } }
}
