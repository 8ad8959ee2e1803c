import { offline, type Simulator, startSimulator, stillClock, type Totals } from '@nacre/simulator'
import { type AgentEnd, type AgentOptions, runAgent } from './agent.js'
import { story } from './story.js'

const MODEL = 'claude-opus-5-5'
const SMALL_MODEL = `${MODEL}-small`
export const SMALL_WINDOW = 24_000
const MINUTE = 60_000
const IDLE = 6 * MINUTE
const HALF_WAY = 7

const SYSTEM = [
  'You work on a small web service. Read before you judge, and name the file and the line.',
  ...Array.from(
    { length: 60 },
    (_, index) => `House rule ${index + 1}: keep module ${index + 1} free of side effects.`,
  ),
].join('\n')

/** The classic mistake: something that changes, before everything that does not. */
function withClock(request: number): string {
  return `${SYSTEM}\nThe time is 12:${String(request).padStart(2, '0')}.`
}

function firstSentence(text = ''): string {
  return text.split('. ')[0] ?? ''
}

/** One way to run the same story. */
export interface Variant {
  readonly name: string
  readonly options?: Partial<Pick<AgentOptions, 'marks' | 'model' | 'system'>>
  /** An account made before thinking was bound to its prefix. */
  readonly oldAccount?: true
  /** What happens around the agent before a request. */
  readonly event?: (request: number, simulator: Simulator) => void
  why(run: Run): string
}

export interface Run {
  readonly variant: Variant
  readonly end: AgentEnd
  readonly totals: Totals
}

const count = (tokens: number) => tokens.toLocaleString('en-US')
const sent = ({ totals }: Run) => totals.read + totals.write5m + totals.write1h + totals.input

export const variants: readonly Variant[] = [
  {
    name: 'no cache markers',
    options: { marks: false },
    why: (run) => `each request pays for all before it again: ${count(sent(run))} tokens at full price`,
  },
  {
    name: 'markers on system and last message',
    why: ({ totals }) =>
      `${count(totals.write5m)} tokens written once, ${count(totals.read)} read at a twentieth of the price`,
  },
  {
    name: 'markers, a clock in the system prompt',
    options: { system: withClock },
    oldAccount: true,
    why: ({ totals }) =>
      `one changing line before the messages: ${count(totals.write5m)} tokens written again and again`,
  },
  {
    name: 'the same clock on a new account',
    options: { system: withClock },
    why: ({ end }) =>
      `stopped after ${end.calls} file: thinking is bound to what came before it (${firstSentence(end.refusal)})`,
  },
  {
    name: 'markers, six idle minutes half-way',
    event: (request, simulator) => {
      if (request === HALF_WAY) simulator.clock.advance(IDLE)
    },
    why: () => 'the entries live five minutes from their last read, so half the talk is written twice',
  },
  {
    name: 'markers, one stream cut in the middle',
    event: (request, simulator) => {
      if (request === HALF_WAY) simulator.faults.add({ kind: 'cut', amount: 5 })
    },
    why: ({ end }) => `${end.retries} answer lost and asked for again; its prompt was in the cache by then`,
  },
  {
    name: `markers, a window of ${count(SMALL_WINDOW)}`,
    options: { model: SMALL_MODEL },
    why: ({ end }) => `stopped after ${end.calls} files: ${end.refusal}`,
  },
]

/** Plays one variant on a simulator of its own. */
export async function play(variant: Variant, folder: string): Promise<Run> {
  const simulator = await startSimulator({
    model: offline({ scenarios: [story] }),
    clock: stillClock(),
    ...(variant.oldAccount && { account: { thinkingBinding: 'lenient' } }),
    models: [{ id: SMALL_MODEL, like: MODEL, window: SMALL_WINDOW }],
    details: { seed: 7 },
  })
  try {
    const end = await runAgent({
      url: simulator.url,
      folder,
      model: MODEL,
      marks: true,
      system: () => SYSTEM,
      ...variant.options,
      beforeRequest: (request) => variant.event?.(request, simulator),
    })
    return { variant, end, totals: simulator.ledger.totals() }
  } finally {
    await simulator.close()
  }
}
