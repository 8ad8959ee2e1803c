import type { Session, SessionEvent, SessionOptions, Tool } from '@nacre/core'
import type { ModelTurn, Reply, ReplyBlock, SimulatedModel } from '@nacre/simulator'
import { compact } from '../../src/index.js'
import { eventsOf, type Setup, type SetupOptions, setUp } from '../support/start-session.js'

type Answer = ReturnType<SimulatedModel>

export interface Work extends SetupOptions {
  /** What the summariser says; a summary that is in order unless told. */
  readonly summary?: (turn: ModelTurn, asked: number) => Answer
  /** Calls that the model makes for each prompt; 6 unless told. */
  readonly calls?: number
  /** The last words for each prompt, by how many there were before. */
  readonly last?: (prompts: number) => string
  /** Blocks before each call and the last words. */
  readonly before?: readonly ReplyBlock[]
}

export interface Worked extends Setup {
  /** The prompts of the summariser, by turn. */
  readonly asked: ModelTurn[]
}

const TITLES = [
  'Primary request and intent',
  'Key technical concepts',
  'Files and code',
  'Errors and fixes',
  'Problem solving',
  'All user messages',
  'Pending tasks',
  'Current work',
  'Next step',
]

/** Words of what is read here, as many as a summary needs to be more than nothing. */
const TOLD = 'Some words of a file were read there, and nothing else came of that file.'

/** A summary in order, with what is given under the numbers of its sections. */
export function nine(bodies: Readonly<Record<number, string>> = {}, ends: readonly string[] = []): string {
  const titles = [...TITLES.slice(0, 9 - ends.length), ...ends]
  const sections = titles.map((title, index) => `${index + 1}. ${title}\n${bodies[index + 1] ?? TOLD}`)
  return `<analysis>\nA draft.\n</analysis>\n<summary>\n${sections.join('\n\n')}\n</summary>`
}

/** Gives some 1,700 tokens for each path. */
const read = reading(240)

/** Reads files of so many sentences. */
export function reading(sentences: number): Tool<{ readonly path: string }> {
  return {
    name: 'read',
    description: 'Reads a file.',
    schema: {
      json: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      parse: (input) => input as { path: string },
    },
    isCompactable: true,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    run: ({ path }) => ({
      content: [
        {
          type: 'text',
          text: `${path}: ${isFirst(path) ? 'see lib/seen-once.ts. ' : ''}${'some words of a file. '.repeat(sentences)}`,
        },
      ],
    }),
  }
}

const isFirst = (path: string) => path === 'src/file-0.ts'

/** A simulator whose model reads a few files for each prompt, and summarises when it is asked to. */
export async function work(options: Work = {}): Promise<Worked> {
  const { calls = 6, before = [], summary = () => nine(), last } = options
  const asked: ModelTurn[] = []
  let file = 0
  let left = calls
  let prompts = 0
  const answer = (turn: ModelTurn): Answer => {
    if (turn.source === 'compact') {
      asked.push(turn)
      return summary(turn, asked.length)
    }
    if (left-- > 0) return [...before, { type: 'tool_use', name: 'read', input: { path: `src/file-${file++}.ts` } }]
    left = calls
    return { content: [...before, last?.(prompts++) ?? `Done with ${file} files.`] } satisfies Reply
  }
  const setup = await setUp(answer, options)
  return { ...setup, asked }
}

/** A session that can read and compact, with clearing off so that folds are needed. */
export async function begin(worked: Setup, options: Partial<SessionOptions> = {}): Promise<Session> {
  const flags = { 'compact.clear': false, 'compact.api': false, ...options.flags }
  return worked.start({ plugins: [compact()], tools: [read], ...options, flags })
}

export interface Told {
  readonly events: SessionEvent[]
  /** What became of each offer of the rungs that fold. */
  verdicts(): string[]
}

/** Hears all that a session tells from now on. */
export function listen(session: Session): Told {
  const events: SessionEvent[] = []
  session.events.on('event', (event) => events.push(event))
  const verdicts = () =>
    events.flatMap((event) =>
      event.type === 'relief' && event.decision.rung && FOLDS.has(event.decision.rung)
        ? [`${event.decision.name} ${event.decision.verdict}`]
        : [],
    )
  return { events, verdicts }
}

const FOLDS: ReadonlySet<string> = new Set(['notes', 'summary', 'digest'])

/** Works on a prompt to its end and gives the reason of the end. */
export async function say(session: Session, prompt: string): Promise<string> {
  const last = (await eventsOf(session.query(prompt))).at(-1)
  return last?.type === 'end' ? `${last.reason}${last.error ? `: ${last.error.message}` : ''}` : 'no end'
}

/** All texts of the request that was sent last for the conversation. */
export function lastRequest({ requests }: Setup): string {
  return requests.findLast(({ source }) => source === 'main')?.body ?? ''
}

/** The messages of a body to the byte, without the marks. */
export function messagesOf(body: string): string {
  const plain = body.replace(/,"cache_control":\{"type":"ephemeral"(?:,"ttl":"1h")?\}/g, '')
  return JSON.stringify((JSON.parse(plain) as { messages: unknown[] }).messages)
}
