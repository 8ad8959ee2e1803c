import type { Session, SessionOptions, Tool } from '@nacre/core'
import type { ModelTurn, SimulatedModel } from '@nacre/simulator'
import { type CompactOptions, compact } from '../../src/index.js'
import { eventsOf, type Setup, type SetupOptions, setUp } from '../support/start-session.js'

export interface WorkOptions extends SetupOptions {
  /** What the tool gives for each of its calls. */
  result(number: number): string
  readonly calls: number
  /** Calls in one answer; 1 unless told. */
  readonly together?: number
  readonly options?: CompactOptions
  readonly session?: Partial<SessionOptions>
  /** Names of the tool, call by call; `Read` unless told. */
  name?(number: number): string
  input?(number: number): Readonly<Record<string, unknown>>
  /** What the model says beside each call. */
  say?(number: number): string
  /** What stands before the call in an answer, as thinking. */
  think?(number: number): string
}

export interface Work extends Setup {
  readonly session: Session
  /** Works on a prompt to its end: the tool is called so many times. */
  run(prompt?: string, calls?: number): Promise<Awaited<ReturnType<typeof eventsOf>>>
}

/** A session in which the model does nothing but call a tool, and then stop. */
export async function workSession(options: WorkOptions): Promise<Work> {
  let called = 0
  let left = 0
  const { result, input = (number) => ({ file_path: `src/part-${number}.ts` }), name = () => 'Read' } = options
  const answers: SimulatedModel = (_turn: ModelTurn) => {
    if (left === 0) return 'Done.'
    const numbers = Array.from({ length: Math.min(left, options.together ?? 1) }, () => called++)
    left -= numbers.length
    const thinking = options.think ? [{ type: 'thinking', thinking: options.think(called) }] : []
    const said = options.say ? [{ type: 'text', text: options.say(called) }] : []
    const calls = numbers.map((number) => ({
      type: 'tool_use',
      id: `toolu_${number}`,
      name: name(number),
      input: input(number),
    }))
    return [...thinking, ...said, ...calls]
  }
  const setup = await setUp(answers, options)
  const names = [...new Set(Array.from({ length: options.calls }, (_, number) => name(number)))]
  const session = await setup.start({
    plugins: [compact(options.options)],
    tools: names.map((each) => toolNamed(each, result)),
    ...options.session,
  })
  return {
    ...setup,
    session,
    run(prompt = 'Read all of it.', calls = options.calls) {
      left = calls
      return eventsOf(session.query(prompt))
    },
  }
}

function toolNamed(name: string, result: (number: number) => string): Tool {
  return {
    name,
    description: `${name} gives a text.`,
    schema: { json: { type: 'object' }, parse: (input) => input },
    isCompactable: true,
    isReadOnly: () => false,
    isConcurrencySafe: () => false,
    run: (_input, { callId }) => ({ content: [{ type: 'text', text: result(Number(callId.split('_')[1])) }] }),
  }
}

/** The texts of all results that a request shows, by the number of the call. */
export function resultsIn(body: string): string[] {
  const { messages } = JSON.parse(body) as { messages: { content: { type: string; content?: unknown }[] | string }[] }
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((block) => (block.type === 'tool_result' ? [textOf(block.content)] : [])),
  )
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as { text?: string }[]).map(({ text }) => text ?? '').join('\n')
}
