import { type Exchange, type ModelTurn, type ReplyBlock, type SimulatedModel, stillClock } from '@nacre/simulator'
import { expect } from 'vitest'
import type { AnthropicModelOptions, Timer } from '../../src/anthropic/index.js'
import type { Session, SessionOptions } from '../../src/session/types.js'
import type { SessionEvent } from '../../src/types/events.js'
import type { AssistantEntry, Entry } from '../../src/types/log.js'
import { eventsOf, type Setup, setUp } from '../session/setup.js'
import { illegalities, type PlainMessage } from '../view/oracle.js'
import { type CountedTools, countedTools, type Work } from './counted-tools.js'
import { storeWith, type WatchedStore, watchedStore } from './watched-store.js'

type Step = ReturnType<SimulatedModel>

export const call = (name: string, what: string): ReplyBlock => ({ type: 'tool_use', name, input: { what } })

/** A model without memory: its answer follows from how many answers the prompt holds. Behind the last step it is done. */
export function stepped(steps: readonly Step[]): SimulatedModel {
  return ({ messages }: ModelTurn) => steps[messages.filter(({ role }) => role === 'assistant').length] ?? 'All done.'
}

/** A model that gives one answer after the other, whatever it is asked. */
export function listed(steps: readonly Step[]): SimulatedModel {
  let next = 0
  return () => steps[next++] ?? 'All done.'
}

/** A turn with calls of each kind, one with calls side by side, and an end. */
export const STEPS: readonly Step[] = [
  ['I look first. '.repeat(12), call('look', 'a'), call('look', 'b'), call('write', 'c'), call('look', 'd')],
  [call('fetch', 'e'), call('fetch', 'f')],
  'All done. '.repeat(12),
]
export const STEP_KEYS = ['fetch e', 'fetch f', 'look a', 'look b', 'look d', 'write c']

export interface Trial extends Setup {
  readonly session: Session
  readonly store: WatchedStore
  readonly counted: CountedTools
  readonly waits: number[]
  readonly observed: readonly Exchange[]
}

export interface TrialOptions {
  readonly work?: Work
  readonly adapter?: Partial<AnthropicModelOptions>
  readonly session?: Partial<SessionOptions>
}

/** A session on a simulator, with tools that count and a log that can be looked at. */
export async function startTrial(model: SimulatedModel, options: TrialOptions = {}): Promise<Trial> {
  const setup = await setUp(
    model,
    { clock: stillClock(), details: { seed: 1 } },
    { idle: { milliseconds: 90_000, timer: turnsTimer }, ...options.adapter },
  )
  const observed: Exchange[] = []
  setup.simulator.observe((exchange) => observed.push(exchange))
  const store = watchedStore()
  const counted = countedTools(options.work)
  const waits: number[] = []
  const details = {
    ...options.session?.details,
    effects: { random: () => 0, wait: async (milliseconds: number) => void waits.push(milliseconds) },
  }
  const session = await setup.start({ tools: counted.tools, store, ...options.session, details })
  return { ...setup, session, store, counted, waits, observed }
}

/** Goes off after so many turns of the event loop: client and server share it, so silence is silence. */
const turnsTimer: Timer = (_milliseconds, callback) => {
  let left = 3_000
  const tick = () => {
    if (left-- > 0) handle = setImmediate(tick)
    else callback()
  }
  let handle = setImmediate(tick)
  return () => clearImmediate(handle)
}

export async function run(session: Session, prompt?: string): Promise<SessionEvent[]> {
  return eventsOf(session.query(prompt))
}

export const endOf = (events: readonly SessionEvent[]) => {
  const end = events.at(-1)
  if (end?.type !== 'end') throw new Error('The query has no end.')
  return end
}

export function recoveries(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'recovery' ? [event.kind] : []))
}

const SPOILED: ReadonlySet<string> = new Set(['stream-error', 'cut', 'stall', 'left'])

/**
 * What holds of every log, whatever went wrong: whole answers only, nothing run twice, each call with its result. After
 * an abort in mid-answer the model may ask again for what only reads.
 */
export function expectSoundLog(
  { store, counted, observed }: Pick<Trial, 'store' | 'counted' | 'observed'>,
  after?: 'abort',
): void {
  const answers = store.entries().filter((entry): entry is AssistantEntry => entry.kind === 'assistant')
  const whole = observed.filter(({ entry }) => entry.status === 200 && !SPOILED.has(entry.end))
  const ids = new Set(whole.map(({ entry }) => entry.messageId))
  expect(answers.filter(({ messageId }) => !ids.has(messageId))).toEqual([])
  expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(answers.length)
  expect(doubles(counted.runs.map(({ id }) => id))).toEqual([])
  const keys = counted.runs.map(({ key }) => key)
  expect(doubles(after ? keys.filter((key) => !key.startsWith('look')) : keys)).toEqual([])
  expect(openCalls(store.entries())).toEqual([])
}

function openCalls(entries: readonly Entry[]): unknown[] {
  const blocks = entries.flatMap((entry) => (entry.kind === 'user' || entry.kind === 'assistant' ? entry.content : []))
  const answered = blocks.filter(({ type }) => type === 'tool_result').map((block) => block.tool_use_id)
  expect(doubles(answered)).toEqual([])
  return blocks.flatMap(({ type, id }) => (type === 'tool_use' && !answered.includes(id) ? [id] : []))
}

function doubles(values: readonly unknown[]): unknown[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

/** A body without its marks, which depend on what was sent before. */
export function unmarked(body: string | undefined): { readonly messages: readonly PlainMessage[] } {
  return JSON.parse(body ?? '{}', (key, value) => (key === 'cache_control' ? undefined : value))
}

/**
 * Asks something in the session, and the same in one that is resumed from a copy of its log: both send the same legal
 * bytes and come to an end. A closed session is only resumed.
 */
export async function expectSameAfterResume(trial: Trial, prompt?: string, isClosed = false): Promise<SessionEvent[]> {
  const { session, store, observed, start } = trial
  const copy = await storeWith(session.id, store.entries())
  const firstBody = () => {
    const from = observed.length
    // What was stopped before may be heard of only now.
    return () => unmarked(observed.slice(from).find(({ entry }) => !SPOILED.has(entry.end))?.body)
  }
  const liveBody = firstBody()
  const events = isClosed ? [] : await run(session, prompt)
  const live = liveBody()
  const resumedBody = firstBody()
  const other = countedTools()
  const resumed = await start({ tools: other.tools, store: copy, open: { resume: session.id } })
  const again = await run(resumed, prompt)
  const sent = resumedBody()
  expect(illegalities(sent.messages)).toEqual([])
  if (!isClosed) expect(sent).toEqual(live)
  expect(endOf(again)).toEqual({ type: 'end', reason: 'done' })
  expectSoundLog({ store: copy, counted: other, observed })
  return isClosed ? again : events
}
