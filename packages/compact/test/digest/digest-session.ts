import {
  type Draft,
  definePlugin,
  type HookContext,
  type Json,
  type Plugin,
  type Receipt,
  type Session,
  type Tool,
  type ToolResult,
} from '@nacre/core'
import { compact } from '../../src/index.js'
import { eventsOf, type Setup, setUp } from '../support/start-session.js'

/** A call that the model makes, and what its tool gives. */
export interface Call {
  readonly name: string
  readonly input: Json
  readonly result: ToolResult
}

export interface DigestSession {
  readonly session: Session
  readonly setup: Setup
  /** Sends a prompt; the model makes the calls of each list at once, one list after the other, and answers. */
  say(prompt: string, ...rounds: readonly (readonly Call[])[]): Promise<void>
  /** By hand; throws where it is refused. */
  compact(): Promise<{ readonly receipt: Receipt }>
  propose(draft: Draft): Promise<void>
}

export interface DigestSessionOptions {
  readonly window?: number
  readonly flags?: Readonly<Record<string, boolean>>
  readonly plugins?: readonly Plugin[]
}

/** All rungs below are off: whatever folds is a digest. */
const FLAGS = { 'compact.clear': false, 'compact.api': false, 'compact.summary': false }
const NAMES = ['Read', 'Edit', 'Bash', 'Odd']

/** A session over the socket whose model and tools do what a test wants. */
export async function digestSession(options: DigestSessionOptions = {}): Promise<DigestSession> {
  const { window, flags = {}, plugins = [] } = options
  let waiting: (readonly Call[])[] = []
  let answers = 0
  const results = new Map<string, ToolResult>()
  const model = () => {
    const calls = waiting.shift() ?? []
    if (calls.length === 0) return `Answer ${++answers}.`
    return calls.map(({ name, input, result }) => {
      const id = `toolu_${results.size}`
      results.set(id, result)
      return { type: 'tool_use' as const, id, name, input: input as never }
    })
  }
  const setup = await setUp(model, window === undefined ? {} : { window })
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
  const tools = NAMES.map((name) => toolOf(name, results))
  const session = await setup.start({ plugins: [compact(), editor, ...plugins], tools, flags: { ...FLAGS, ...flags } })
  return {
    session,
    setup,
    async say(prompt, ...rounds) {
      waiting = rounds.filter(({ length }) => length > 0)
      const end = (await eventsOf(session.query(prompt))).at(-1)
      if (end?.type === 'end' && end.reason !== 'done') throw end.error ?? new Error(end.reason)
    },
    async compact() {
      const done = await session.compact()
      if ('refused' in done) throw new Error(done.refused)
      return done
    },
    async propose(draft) {
      const done = await hook?.propose(draft)
      if (!done || 'refused' in done) throw new Error(done?.refused ?? 'no session')
    },
  }
}

function toolOf(name: string, results: ReadonlyMap<string, ToolResult>): Tool {
  return {
    name,
    description: `Does ${name}.`,
    schema: { json: { type: 'object' }, parse: (input) => input },
    isCompactable: true,
    isReadOnly: () => name === 'Read',
    isConcurrencySafe: () => true,
    run: (_input, { callId }) => results.get(callId) ?? { content: [{ type: 'text', text: 'nothing' }] },
  }
}
