import { type ReplyBlock, type SimulatedModel, summarize } from '../index.js'
import { seededRandom } from '../server/clock.js'
import type { EntryLike, PlannedCall } from './types.js'

/** A prompt, the rounds of calls that the model answers it with, and where a person stops it. */
export interface Ask {
  readonly kind: 'ask'
  readonly prompt: string
  readonly turns: readonly (readonly PlannedCall[])[]
  /** Stopped before the request of this turn is answered. A call that hangs is stopped while it runs. */
  readonly stopAtRequest?: number
}

/** What a person does in between. */
interface ByHand {
  readonly kind: 'compact' | 'undo'
}

type Step = Ask | ByHand

/** A conversation: the same for the same seed. */
export interface Plan {
  readonly seed: number
  readonly steps: readonly Step[]
  /** Small enough for the conversation to come near it, in most plans. */
  readonly contextBudget: number | undefined
}

const HANGING: PlannedCall = { name: 'change', input: { path: 'src/lock.ts', hang: true } }

type Random = () => number

const WORDS = 'please look at the login parser and the cache that fails under load then fix tests and say why'.split(
  ' ',
)
const BUDGETS = [undefined, 12_000, 20_000, 30_000]
const ASKS = 4
const LONG = 200

/** Generates a conversation: prompts, calls side by side, long results, stops, compactions and undos by hand. */
export function makePlan(seed: number, extra: readonly PlannedCall[]): Plan {
  const random = seededRandom(seed)
  const contextBudget = BUDGETS[seed % BUDGETS.length]
  const steps: Step[] = []
  for (let number = 0; number < ASKS; number++) {
    steps.push(ask(number, seed, random, extra))
    if (number === 1 && random() < 0.6) steps.push({ kind: 'compact' })
    if (number === 2 && random() < 0.4) steps.push({ kind: 'undo' })
  }
  return { seed, steps, contextBudget }
}

function ask(number: number, seed: number, random: Random, extra: readonly PlannedCall[]): Ask {
  const below = (limit: number) => Math.floor(random() * limit)
  const words = Array.from({ length: 5 + below(40) }, () => WORDS[below(WORDS.length)])
  const prompt = `Task ${number} of ${seed}: ${words.join(' ')} (end of task ${number})`
  const turns = Array.from({ length: below(3) }, () => calls(random, extra))
  const chance = random()
  if (chance < 0.15) return { kind: 'ask', prompt, turns, stopAtRequest: below(turns.length + 1) }
  if (chance < 0.3)
    turns.push([look(random), HANGING, { name: 'change', input: { path: pathOf(random), hang: false } }])
  return { kind: 'ask', prompt, turns }
}

function calls(random: Random, extra: readonly PlannedCall[]): PlannedCall[] {
  const all = Array.from({ length: 1 + Math.floor(random() * 4) }, () => call(random))
  const own = extra[Math.floor(random() * extra.length)]
  return own && random() < 0.5 ? [...all, own] : all
}

function call(random: Random): PlannedCall {
  return random() < 0.75 ? look(random) : { name: 'change', input: { path: pathOf(random), hang: false } }
}

function look(random: Random): PlannedCall {
  const lines = random() < 0.4 ? LONG : 1 + Math.floor(random() * 12)
  return { name: 'look', input: { path: pathOf(random), lines } }
}

function pathOf(random: Random): string {
  return `src/part-${Math.floor(random() * 12)}/file-${Math.floor(random() * 5)}.ts`
}

/** Where a conversation is. */
export interface Position {
  readonly step: number
  /** How many entries the log had when the step began. */
  readonly start: number
}

/** Plays the model's part of a plan. What comes next is read from the log, so a request that is sent again gets the same. */
export function replies(
  plan: Plan,
  entries: readonly EntryLike[],
  position: () => Position,
  answers: SimulatedModel = summarize,
): SimulatedModel {
  return (turn) => {
    if (turn.purpose === 'compaction' || turn.source !== 'main') return answers(turn)
    const { step: number, start } = position()
    const step = plan.steps[number]
    const answered = entries.slice(start).filter(({ kind }) => kind === 'assistant').length
    const thought: ReplyBlock[] = turn.thinks ? [{ type: 'thinking', thinking: `Step ${number}, ${answered}.` }] : []
    const calls = step?.kind === 'ask' ? step.turns[answered] : undefined
    if (!calls) return [...thought, `Done with step ${number} in ${answered} rounds.`]
    const blocks = calls.map(({ name, input }, index) => {
      return { type: 'tool_use' as const, id: `toolu_${plan.seed}_${number}_${answered}_${index}`, name, input }
    })
    return [...thought, `Round ${answered} of step ${number}.`, ...blocks]
  }
}

interface Call {
  readonly path: string
  readonly lines?: number
  readonly hang?: boolean
}

interface Running {
  readonly signal: AbortSignal
}

const hung = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

const text = (words: string) => ({ content: [{ type: 'text', text: words }] })

/** The tools of a generated conversation: one that only looks, and one that wants to be alone and may hang. */
export function conversationTools() {
  const schema = (properties: object) => ({
    json: { type: 'object', properties, required: ['path'] },
    parse: (input: unknown) => input as Call,
  })
  const path = { type: 'string' }
  return [
    {
      name: 'look',
      description: 'Shows the lines of a file.',
      schema: schema({ path, lines: { type: 'integer' } }),
      isCompactable: true,
      isReadOnly: () => true,
      isConcurrencySafe: () => true,
      run: ({ path: file, lines = 1 }: Call) =>
        text(
          Array.from(
            { length: lines },
            (_, line) => `${file}:${line + 1}: const value${line} = load(${line * 7})`,
          ).join('\n'),
        ),
    },
    {
      name: 'change',
      description: 'Changes a file.',
      schema: schema({ path, hang: { type: 'boolean' } }),
      isReadOnly: () => false,
      isConcurrencySafe: () => false,
      run: ({ path: file, hang }: Call, { signal }: Running) => (hang ? hung(signal) : text(`Changed ${file}.`)),
    },
  ]
}
