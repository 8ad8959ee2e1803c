import { type FaultKind, startSimulator, stillClock } from '../index.js'
import { seededRandom } from '../server/clock.js'
import { type Ask, conversationTools, type Plan, type Position, replies } from './conversation.js'
import { type LogStore, logStore } from './log-store.js'
import { openTap, type Tapped } from './tap.js'
import type { ConformanceOptions, EntryLike, EventLike, PluginLike, Problem, SessionLike } from './types.js'

/** A way to play a conversation. */
export interface Act {
  readonly name: string
  readonly plan: Plan
  readonly plugins: readonly PluginLike[]
  readonly flags?: Readonly<Record<string, boolean>>
  /** From this step on the plugins of these names are off, while the session runs. */
  readonly off?: { readonly plugins: ReadonlySet<string>; readonly from: number }
  /** Closed and resumed after each step. */
  readonly isResumed?: boolean
  /** Where a person stops the query of a step. */
  interruption?(step: number): Interruption | undefined
  /** What strikes the request of this number. */
  readonly fault?: { readonly kind: FaultKind; readonly at: number }
}

/** At the so-many-th event of a type; by a signal, or because nobody listens any more. */
export interface Interruption {
  readonly event: string
  readonly count: number
  readonly by: 'signal' | 'leaving'
}

/** A request with its place in the conversation. */
export interface StagedRequest extends Tapped {
  readonly step: number
  /** How many entries the log had when it arrived. */
  readonly logged: number
  readonly isStruck: boolean
}

/** How the query of a step ended. */
interface StepEnd {
  readonly step: number
  readonly reason: string
  readonly error: string
  /** Whether it was stopped or struck, so that any end is right. */
  readonly isDisturbed: boolean
  /** Whether it was refused because the context has no room for it. */
  readonly isFull: boolean
}

/** What the session reported while nothing ended. */
interface Reported {
  readonly step: number
  readonly plugin: string | undefined
  readonly message: string
  readonly isOfDispose: boolean
}

/** A conversation that was played. */
export interface Played {
  readonly act: Act
  readonly requests: readonly StagedRequest[]
  readonly entries: readonly EntryLike[]
  readonly ends: readonly StepEnd[]
  readonly reports: readonly Reported[]
  /** How many entries the log had when the plugin was switched off. */
  readonly loggedWhenOff: number | undefined
  /** Why it was not played to its end. */
  readonly failure: Problem | undefined
}

/** A conversation of the kit takes milliseconds, on a busy machine seconds: what takes so long hangs. */
const PATIENCE = 15_000
/** How long an answer that stalls is waited for before the person gives up. */
const STALLED = 40

/** Plays a conversation in one way, to its end or until it can't go on. */
export async function play(options: ConformanceOptions, act: Act): Promise<Played> {
  const stage = await openStage(options, act)
  const ends: StepEnd[] = []
  let failure: Problem | undefined
  let doing: Problem['check'] = 'starts'
  let number = 0
  try {
    let session = await stage.start(false)
    for (const step of act.plan.steps) {
      stage.begin(number)
      doing = 'goes-on'
      if (step.kind === 'ask') ends.push(await within(askWithRoom(session, step, number, act, stage)))
      else await within(byHand(session, step.kind))
      await stage.quiet()
      doing = 'resumes'
      if (act.isResumed) {
        await within(session.close())
        session = await within(stage.start(true))
      }
      number += 1
    }
    doing = 'disposes'
    await within(session.close())
    await within(session.close())
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    failure = { check: doing, step: number, detail: why }
  } finally {
    await stage.close()
  }
  const { requests, reports, store } = stage
  return { act, requests, entries: store.entries, ends, reports, loggedWhenOff: stage.loggedWhenOff(), failure }
}

/** There may be nothing to compact or to undo: that is told by a refusal, or by an error with a code. */
async function byHand(session: SessionLike, what: 'compact' | 'undo'): Promise<void> {
  try {
    await session[what]()
  } catch (error) {
    if ((error as { code?: string }).code === undefined) throw error
  }
}

/** Where nothing compacts, a prompt without room is refused: then a person clears the conversation and asks again. */
async function askWithRoom(session: SessionLike, step: Ask, number: number, act: Act, stage: Stage): Promise<StepEnd> {
  const end = await ask(session, step, number, act, stage)
  if (!end.isFull || !session.clear) return end
  await session.clear()
  return ask(session, step, number, act, stage)
}

async function ask(session: SessionLike, step: Ask, number: number, act: Act, stage: Stage): Promise<StepEnd> {
  const stop = new AbortController()
  const interruption = act.interruption?.(number)
  const state = { isDisturbed: false }
  const disturb = () => {
    state.isDisturbed = true
    stop.abort()
  }
  strikeRequests(stage, act, step, disturb, state)
  const watch = watchFor(interruption)
  let end: EventLike & { reason?: string; error?: Error & { code?: string } } = { type: 'end', reason: 'left' }
  for await (const event of session.query(step.prompt, { signal: stop.signal })) {
    if (event.type === 'end') end = event
    if (isHanging(event)) disturb()
    if (!watch(event)) continue
    disturb()
    if (interruption?.by === 'leaving') break
  }
  stage.onRequest = () => undefined
  const { reason = '', error } = end
  const isFull = reason === 'blocked' && error?.code === 'PROMPT_TOO_LONG'
  return { step: number, reason, error: error?.message ?? '', isDisturbed: state.isDisturbed, isFull }
}

/** Decides what happens to the requests of a query. */
function strikeRequests(
  stage: Stage,
  { fault }: Act,
  { stopAtRequest }: Ask,
  disturb: () => void,
  state: { isDisturbed: boolean },
): void {
  let own = 0
  stage.onRequest = ({ source }) => {
    if (source === 'main' && own++ === stopAtRequest) disturb()
    const isNow = fault && fault.at <= stage.requests.length && !stage.requests.some(({ isStruck }) => isStruck)
    // Only the conversation itself can be stopped by a person who has waited for long enough.
    if (!isNow || (fault.kind === 'stall' && source !== 'main')) return undefined
    state.isDisturbed = true
    if (fault.kind === 'stall') setTimeout(disturb, STALLED)
    return fault.kind
  }
}

function isHanging(event: EventLike & { readonly call?: { readonly input?: unknown } }): boolean {
  return event.type === 'tool-start' && (event.call?.input as { hang?: boolean } | undefined)?.hang === true
}

function watchFor(interruption: Interruption | undefined): (event: EventLike) => boolean {
  let seen = 0
  return ({ type }) => interruption !== undefined && type === interruption.event && ++seen === interruption.count
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end within ${PATIENCE} milliseconds`)), PATIENCE)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** A simulator with one session's log in front of it, and everything that is seen there. */
interface Stage {
  readonly requests: readonly StagedRequest[]
  readonly reports: readonly Reported[]
  readonly store: LogStore
  /** Entries in the log when the session learned that the plugin is switched off. */
  loggedWhenOff(): number | undefined
  /** Starts the session, or goes on with it. */
  start(resume: boolean): Promise<SessionLike>
  begin(step: number): void
  /** Hears of each request while a query runs; what it returns strikes the request. */
  onRequest: (request: Tapped) => FaultKind | undefined
  quiet(): Promise<void>
  close(): Promise<void>
}

const ID = 'conformance'
const START = Date.UTC(2026, 0, 1)
/** Longer than a cache keeps anything: a session that goes on and one that is resumed find it equally cold. */
const PAUSE = 600_000

async function openStage(options: ConformanceOptions, act: Act): Promise<Stage> {
  const { plan } = act
  const store = logStore()
  const requests: StagedRequest[] = []
  const reports: Reported[] = []
  let position: Position = { step: 0, start: 0 }
  let loggedWhenOff: number | undefined
  const readFlag = (name: string) => {
    const value = isOff(act, name, position.step)
    // What the plugin does until a session asks anew, it does while it is on.
    if (value === false) loggedWhenOff ??= store.entries.length
    return value
  }
  const simulator = await startSimulator({
    model: replies(plan, store.entries, () => position, options.answers),
    clock: stillClock(START),
    details: { seed: plan.seed },
  })
  const tap = await openTap(simulator.port, (request) => {
    // A fault whose request never reached the simulator must not strike the next one.
    simulator.faults.clear()
    const strikes = request.path.startsWith('/v1/messages') ? stage.onRequest(request) : undefined
    if (strikes) simulator.faults.add({ kind: strikes, ...AMOUNTS[strikes] })
    const place = { step: position.step, logged: store.entries.length, isStruck: strikes !== undefined }
    requests.push(Object.assign(request, place))
  })
  const effects = repeatableEffects(plan.seed, () => position.step)
  const report = (error: ReportedError) => void reports.push(reported(error, position.step))
  const stage: Stage = {
    requests,
    reports,
    store,
    loggedWhenOff: () => loggedWhenOff,
    start: (resume) =>
      // The options are the runtime's, whose types the simulator does not know.
      options.createSession({
        model: options.model(tap.url),
        plugins: act.plugins,
        system: 'You work on a program, with tools.',
        tools: conversationTools(),
        flags: act.flags ?? {},
        store,
        cwd: '.',
        open: resume ? { resume: ID } : { id: ID },
        details: {
          effects,
          report,
          ask: async () => 'allow',
          ...(plan.contextBudget !== undefined && { limits: { contextBudget: plan.contextBudget } }),
          ...(act.off && { flagSources: { live: { read: readFlag } } }),
        },
      } as never),
    begin(step) {
      if (step > position.step) simulator.clock.advance(PAUSE)
      position = { step, start: store.entries.length }
    },
    onRequest: () => undefined,
    quiet: tap.quiet,
    async close() {
      await tap.close()
      await simulator.close()
    },
  }
  return stage
}

/** Short enough for a test, and late enough to spoil an answer that has begun. */
const AMOUNTS: Partial<Record<FaultKind, { readonly amount: number }>> = {
  slow: { amount: 5 },
  'stream-error': { amount: 3 },
  cut: { amount: 3 },
  stall: { amount: 3 },
}

/** A live provider without an opinion on anything else. */
function isOff({ off }: Act, name: string, step: number): boolean | undefined {
  return off?.plugins.has(name) && step >= off.from ? false : undefined
}

/**
 * Time, ids and chance that are the same whenever the conversation is played. Nothing waits. Plugins may show ids to
 * the model, so each step counts anew: what a resume writes between two steps must not shift those of the next.
 */
function repeatableEffects(seed: number, step: () => number) {
  const counts = new Map<number, number>()
  const next = (number: number) => {
    counts.set(number, (counts.get(number) ?? 0) + 1)
    return counts.get(number)
  }
  return {
    now: () => START + step() * PAUSE,
    newId: () => `entry-${step()}-${next(step())}`,
    random: seededRandom(seed),
    wait: () => undefined,
  }
}

interface ReportedError {
  readonly message: string
  readonly code?: string
  readonly details?: { readonly plugin?: string }
}

function reported({ message, code, details }: ReportedError, step: number): Reported {
  return { step, plugin: details?.plugin, message, isOfDispose: code === 'PLUGIN_SETUP_FAILED' }
}
