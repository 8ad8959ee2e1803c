import type { Act, Interruption, Played, StepEnd } from './act.js'
import type { Problem } from './finding.js'
import type { ConformanceOptions } from './kit.js'
import type { Ask } from './plan.js'
import type { EventLike, SessionLike } from './session-like.js'
import { openStage, type Stage } from './stage.js'

/** A conversation of the kit takes milliseconds, on a busy machine seconds: what takes so long hangs. */
const PATIENCE = 15_000
/** How long an answer that stalls is waited for before the person gives up. */
const STALLED = 40

/** Plays a conversation in one way, to its end or until it can't go on. */
export async function play(kit: ConformanceOptions, act: Act): Promise<Played> {
  const stage = await openStage(kit, act)
  const ends: StepEnd[] = []
  let failure: Problem | undefined
  let doing: Problem['check'] = 'starts'
  let number = 0
  try {
    let session = await stage.start(false)
    for (const step of act.plan.steps) {
      stage.begin(number)
      doing = 'goes-on'
      if (step.kind === 'ask') ends.push(await within(ask(session, step, { stage, act, number })))
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

interface Asking {
  readonly stage: Stage
  readonly act: Act
  readonly number: number
}

async function ask(session: SessionLike, step: Ask, { stage, act, number }: Asking): Promise<StepEnd> {
  const stop = new AbortController()
  const interruption = act.interruption?.(number)
  const state = { isDisturbed: false }
  const disturb = () => {
    state.isDisturbed = true
    stop.abort()
  }
  strikeRequests(stage, act, step, disturb, state)
  const watch = watchFor(interruption)
  let end: EventLike & { reason?: string; error?: Error } = { type: 'end', reason: 'left' }
  for await (const event of session.query(step.prompt, { signal: stop.signal })) {
    if (event.type === 'end') end = event
    if (isHanging(event)) disturb()
    if (!watch(event)) continue
    disturb()
    if (interruption?.by === 'leaving') break
  }
  stage.onRequest = () => undefined
  return { step: number, reason: end.reason ?? '', error: end.error?.message ?? '', isDisturbed: state.isDisturbed }
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
