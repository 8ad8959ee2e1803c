import { createSession, resolveModel, type Session, type SessionEvent, type Tool } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { asksForSummary, type ModelTurn, type ReplyBlock, startSimulator, summarize } from '@nacre/simulator'
import { onTestFinished } from 'vitest'
import { compact, type Policy } from '../../src/index.js'
import { type Random, random } from '../facts/random.js'
import { eventsOf } from '../support/start-session.js'
import { result, userPrompt } from './long-words.js'

export interface LongOptions {
  readonly seed: number
  readonly calls: number
  readonly window: number
  readonly model: string
  /** Whether answers begin with thinking, which on current models is bound to its prefix. */
  readonly thinks: boolean
  readonly policy?: Policy
  readonly flags?: Readonly<Record<string, boolean>>
}

export interface LongRun {
  readonly session: Session
  readonly prompts: readonly string[]
  readonly ends: readonly string[]
  readonly calls: number
  /** Characters that tools and prompts brought in. */
  readonly characters: number
  readonly edits: number
  readonly folds: number
  readonly summaries: number
  readonly refused: readonly string[]
  /** Requests of the conversation that lacked the last prompt. */
  readonly withoutPrompt: number
  readonly withThinking: number
  /** Has the model call Recall and gives what came back. */
  recall(input: Readonly<Record<string, string>>): Promise<string>
}

interface State {
  prompt: string
  left: number
  calls: number
  characters: number
  edits: number
  folds: number
  summaries: number
  withoutPrompt: number
  withThinking: number
  readonly refused: string[]
  readonly next: ReplyBlock[][]
}

const PROMPTS = 20

/** A session of many calls on a small window that the server holds to as well, over the socket. */
export async function runLong(options: LongOptions): Promise<LongRun> {
  const chance = random(options.seed)
  const state: State = { ...EMPTY, refused: [], next: [] }
  const session = await startLong(options, chance, state)
  const prompts: string[] = []
  const ends: string[] = []
  session.events.on('event', (event: SessionEvent) => {
    if (event.type === 'edit') state.edits += 1
    if (event.type === 'receipt') state.folds += 1
  })
  for (let number = 1; number <= PROMPTS; number++) {
    state.prompt = userPrompt(number, chance)
    state.left = Math.ceil((options.calls - state.calls) / (PROMPTS - number + 1))
    state.characters += state.prompt.length
    prompts.push(state.prompt)
    const end = (await eventsOf(session.query(state.prompt))).at(-1)
    ends.push(
      end?.type === 'end' ? `${end.reason}${end.error ? `: ${end.error.message}` : ''}` : `no end, but ${end?.type}`,
    )
  }
  return { ...state, session, prompts, ends, recall: (input) => recall(session, state, input) }
}

const EMPTY = {
  prompt: '',
  left: 0,
  calls: 0,
  characters: 0,
  edits: 0,
  folds: 0,
  summaries: 0,
  withoutPrompt: 0,
  withThinking: 0,
}

async function startLong(options: LongOptions, chance: Random, state: State): Promise<Session> {
  const { model, window, thinks, policy = 'balanced', flags = {} } = options
  const simulator = await startSimulator({
    model: (turn) => answer(turn, thinks, chance, state),
    models: [{ id: model, like: model, window }],
  })
  onTestFinished(() => simulator.close())
  simulator.observe(({ body, entry }) => {
    if (entry.status >= 400) state.refused.push(`${entry.source}: ${entry.status}`)
    if (entry.source !== 'main') state.summaries += 1
    else {
      if (!body.includes(JSON.stringify(state.prompt).slice(1, -1))) state.withoutPrompt += 1
      if (body.includes('"type":"thinking",')) state.withThinking += 1
    }
  })
  const info = resolveModel(model, { window })
  const session = await createSession({
    model: anthropicModel({ model: info, apiKey: 'test', baseURL: simulator.url }),
    system: 'You work through long lists of calls.',
    plugins: [compact({ policy })],
    flags,
    tools: ['Read', 'Bash'].map((name) => workTool(name, chance, state)),
    details: { effects: { wait: () => undefined } },
  })
  onTestFinished(() => session.close())
  return session
}

function answer(turn: ModelTurn, thinks: boolean, chance: Random, state: State) {
  if (asksForSummary(turn)) return summarize(turn)
  const thought: ReplyBlock[] = thinks ? [{ type: 'thinking', thinking: `I think of ${chance.word()}.` }] : []
  const planned = state.next.shift()
  if (planned) return [...thought, ...planned]
  if (state.left <= 0) return [...thought, `Done: ${chance.word()}.`]
  const count = Math.min(state.left, chance.pick([1, 1, 1, 2, 3]))
  state.left -= count
  const said: ReplyBlock[] = chance.below(3) === 0 ? [`Next the ${chance.word()}.`] : []
  return [...thought, ...said, ...Array.from({ length: count }, () => call(chance))]
}

function call({ pick, word }: Random): ReplyBlock {
  return pick([
    { type: 'tool_use', name: 'Read', input: { path: `src/${word()}/${word()}.ts` } },
    { type: 'tool_use', name: 'Bash', input: { command: `run ${word()} --with ${word()}` } },
  ] as const)
}

function workTool(name: string, chance: Random, state: State): Tool {
  return {
    name,
    description: `${name} something.`,
    schema: { json: { type: 'object' }, parse: (input) => input },
    isCompactable: true,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    run() {
      const text = result(chance)
      state.calls += 1
      state.characters += text.length
      const content = [{ type: 'text', text }]
      return chance.below(20) === 0 ? { content, isError: true } : { content }
    },
  }
}

async function recall(session: Session, state: State, input: Readonly<Record<string, string>>): Promise<string> {
  state.prompt = 'Look it up.'
  state.next.push([{ type: 'tool_use', name: 'Recall', input }], ['Found.'])
  const events = await eventsOf(session.query(state.prompt))
  const found = events.flatMap((event) => (event.type === 'tool-end' ? [String(event.result.content[0]?.text)] : []))
  return found.join('\n')
}
