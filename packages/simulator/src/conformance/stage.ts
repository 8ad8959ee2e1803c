import { stillClock } from '../clock.js'
import type { FaultKind } from '../faults.js'
import { seededRandom } from '../random.js'
import { startSimulator } from '../start-simulator.js'
import type { Act, Reported, StagedRequest } from './act.js'
import { conversationTools } from './conversation-tools.js'
import type { ConformanceOptions } from './kit.js'
import { type LogStore, logStore } from './log-store.js'
import { type Position, replies } from './replies.js'
import type { SessionLike } from './session-like.js'
import { openTap, type Tapped } from './tap.js'

/** A simulator with one session's log in front of it, and everything that is seen there. */
export interface Stage {
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

export async function openStage(kit: ConformanceOptions, act: Act): Promise<Stage> {
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
    model: replies(plan, store.entries, () => position, kit.answers),
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
  const senses = senseOf(plan.seed, () => position.step)
  const report = (error: ReportedError) => void reports.push(reported(error, position.step))
  const stage: Stage = {
    requests,
    reports,
    store,
    loggedWhenOff: () => loggedWhenOff,
    start: (resume) =>
      // The options are the runtime's, whose types the simulator does not know.
      kit.createSession({
        model: kit.model(tap.url),
        plugins: act.plugins,
        system: 'You work on a program, with tools.',
        tools: conversationTools(),
        flags: act.flags ?? {},
        store,
        cwd: '.',
        open: resume ? { resume: ID } : { id: ID },
        details: {
          senses,
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
  return off && off.plugin === name && step >= off.from ? false : undefined
}

/**
 * Time, ids and chance that are the same whenever the conversation is played. Nothing waits. Plugins may show ids to
 * the model, so each step counts anew: what a resume writes between two steps must not shift those of the next.
 */
function senseOf(seed: number, step: () => number) {
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
