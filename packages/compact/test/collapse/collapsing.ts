import { memoryStore, type NoticeEntry, type SessionEvent, type SessionOptions, type Tool } from '@nacre/core'
import type { ModelTurn, ReplyBlock, SimulatedModel } from '@nacre/simulator'
import { compact } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'

export const COLLAPSE = { 'compact.collapse': true, 'compact.clear': false, 'compact.snip': false }

/** The prompt of the last message, as text. */
function lastText({ messages }: ModelTurn): string {
  const content = messages.at(-1)?.content
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** As much as a record needs to be more than nothing. */
const TOLD = ' The command was run with make, and its output had the same word again and again.'

/** Records for each part that is asked for. */
export function records(turn: ModelTurn, word = 'Record'): string {
  const parts = [...lastText(turn).matchAll(/Part (\d+) \(/g)]
  return parts.map(([, number]) => `<part number="${number}">${word} of part ${number}.${TOLD}</part>`).join('\n')
}

export interface Answers {
  /** Calls before the words that end a turn. */
  readonly calls?: number
  beside?(turn: ModelTurn): ReturnType<SimulatedModel>
}

/** Works on each prompt with some calls, then says so. */
export function working({ calls = 1, beside = records }: Answers = {}): SimulatedModel {
  let number = 0
  let done = 0
  return (turn) => {
    if (turn.source !== 'main') return beside(turn)
    number += 1
    done += 1
    const call: ReplyBlock = {
      type: 'tool_use',
      name: 'Run',
      id: `toolu_${number}`,
      input: { command: `make ${number}` },
    }
    if (done <= calls) return [`Step ${number}.`, call]
    done = 0
    return [`Finished by step ${number}.`]
  }
}

/** Gives about so many tokens each time. */
export function output(tokens: number): Tool<object> {
  let number = 0
  return {
    name: 'Run',
    description: 'Runs a command.',
    schema: { json: { type: 'object' }, parse: (input) => Object(input) },
    isReadOnly: () => false,
    isConcurrencySafe: () => false,
    run: () => ({ content: [{ type: 'text', text: `output-${++number} ${'word '.repeat(tokens / 1.3)}` }] }),
  }
}

export interface CollapseOptions {
  readonly model?: string
  readonly window?: number
  readonly resultTokens?: number
  readonly session?: Partial<SessionOptions>
}

/** A session that collapses, on a small window, with all that it told. */
export async function collapsing(answers: SimulatedModel, options: CollapseOptions = {}) {
  const { model = 'claude-sonnet-4-6', window = 20_000, resultTokens = 700, session: more = {} } = options
  const setup = await setUp(answers, { model, window })
  const store = memoryStore()
  const notices: NoticeEntry[] = []
  const events: SessionEvent[] = []
  const start = async (again: Partial<SessionOptions> = {}) => {
    const base = { plugins: [compact()], flags: COLLAPSE, tools: [output(resultTokens)], store }
    const session = await setup.start({ ...base, ...more, ...again })
    session.events.on('notice', ({ notice }) => notices.push(notice))
    session.events.on('event', (event) => events.push(event))
    return session
  }
  const session = await start()
  return { ...setup, store, notices, events, session, start, ask: (prompt: string) => eventsOf(session.query(prompt)) }
}

export type Collapsing = Awaited<ReturnType<typeof collapsing>>

/** Lets everything that is under way go on until something holds; no clock is asked. */
export async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 20_000; round++) {
    if (holds()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('It never came to hold.')
}

/** The edits that folded, in order. */
export function foldsOf({ events }: Pick<Collapsing, 'events'>) {
  return events.flatMap((event) =>
    event.type === 'edit' && event.edit.changes.some(({ kind }) => kind === 'fold') ? [event.edit] : [],
  )
}

export const textOfFold = (edit: ReturnType<typeof foldsOf>[number]): string =>
  edit.changes
    .flatMap((change) => (change.kind === 'fold' ? change.content.map(({ text }) => String(text)) : []))
    .join('\n')

/** Requests beside the conversation. */
export const besides = ({ requests }: Pick<Collapsing, 'requests'>) =>
  requests.filter(({ source }) => source === 'compact')
