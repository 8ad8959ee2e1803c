import { seededRandom } from '../random.js'

/** A tool call that the model of a conversation makes. */
export interface PlannedCall {
  readonly name: string
  readonly input: { readonly [key: string]: string | number | boolean }
}

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
