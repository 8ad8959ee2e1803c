import { oneAtATime } from '../async.js'
import { NacreError } from '../errors.js'
import { coreState } from '../log/timeline.js'
import { placeBefore } from '../request/markers.js'
import type { Edit, Id, Receipt, Rung } from '../types/log.js'
import type { Draft, Pressure } from '../types/relief.js'
import { appendPrepared } from './append.js'
import { afterFailure, afterFold, type BreakerState, isStopped, readBreaker } from './breaker.js'
import { type ClimbEnd, type ClimbOrder, type CollectedOffer, climb, needOf } from './climb.js'
import {
  askPreCompact,
  type CompactOptions,
  type CompactOutcome,
  compactEvent,
  type DraftTask,
  FOLDING,
  type ReliefContext,
  type RelieveOptions,
  type SessionRelief,
  tellStop,
} from './context.js'
import { checkDraft, type PreparedDraft, prepareDraft } from './draft.js'
import { judgeOffers, waitingCosts } from './money-model.js'
import { afterClimb, readRests, restNotice } from './rests.js'
import { viewState } from './spans.js'

const RUNGS: readonly Rung[] = ['erase', 'clear', 'notes', 'summary', 'digest']
/** A climb that did not help is not repeated before the view has grown by this part of the threshold. */
const GROWTH = 0.05
/** What to free when the API says that it is too much and not by how much. */
const UNNAMED_GAP = 0.2

/** The arbiter between all that can free context. */
export function createRelief(context: ReliefContext): SessionRelief {
  const inTurn = oneAtATime()
  const compact = compactByHand(context)
  const waiting = waitingCosts()
  let stuckAt: number | undefined
  let next: { readonly cut: Id; readonly answered: number } | undefined

  const total = () => context.view().tokens.total
  const threshold = () => context.view().tokens.threshold
  const breaker = () => readBreaker(context.view().state('core', 'relief'))
  const answered = () => context.conversation.projection.timeline.rounds.findLastIndex(({ hasResponse }) => hasResponse)
  /** The mark before the next cut is a cache entry only once a request has carried it. */
  const liveMark = () => (next && answered() > next.answered ? next.cut : undefined)

  const orderFor = (pressure: Pressure, { signal, gap }: RelieveOptions): ClimbOrder => {
    const before = total()
    const toFree = pressure === 'overflow' ? Math.max(1, gap ?? Math.ceil(before * UNNAMED_GAP)) : 0
    const start = breaker()
    let freed = 0
    const isHeld = pressure !== 'overflow' && isStopped(start)
    const trigger = pressure === 'overflow' ? 'overflow' : 'auto'
    return {
      pressure,
      trigger,
      rungs: isHeld ? RUNGS.slice(0, 2) : RUNGS,
      need: needOf(context, {
        pressure,
        trigger,
        excess: Math.max(0, before - threshold(), toFree),
        target: threshold(),
        signal,
      }),
      dryRun: false,
      isDone: () => pressure !== 'idle' && total() <= threshold() && before - total() >= toFree,
      ...(pressure === 'idle' && judgeOffers(context, liveMark(), waiting)),
      // All folds of a climb are one compaction: they are measured together, from where it began.
      afterFold(share) {
        freed += share
        return { ...afterFold(start, pressure === 'idle' ? undefined : freed), folds: breaker().folds + 1 }
      },
    }
  }

  const settle = async (end: ClimbEnd, pressure: Pressure, before: number) => {
    if (pressure !== 'overflow') next = nextOf(context, end, answered())
    if (end.accepted.some(({ receipt }) => receipt)) await keepRests(context, end)
    else if (end.hasFailedToFold) await countFailure(context, breaker())
    const isStuck = total() > threshold() || total() >= before
    if (!isStuck) stuckAt = undefined
    else if (pressure === 'high') stuckAt = total()
    return total() < before
  }

  const relieve = async (pressure: Pressure, options: RelieveOptions): Promise<boolean> => {
    const before = total()
    if (before <= threshold()) stuckAt = undefined
    if (options.signal.aborted || (pressure === 'high' && before <= threshold())) return false
    if (pressure === 'high' && stuckAt !== undefined && before < stuckAt + threshold() * GROWTH) {
      const reason = `The last climb did not help; the next one is at ${Math.ceil(stuckAt + threshold() * GROWTH)} tokens.`
      context.emit({ type: 'relief', decision: { verdict: 'stopped', reason, pressure } })
      return false
    }
    const end = await climb(context, orderFor(pressure, options))
    return options.signal.aborted ? total() < before : settle(end, pressure, before)
  }

  /** Whatever else has changed the view may let the next climb get further than the last one did. */
  const helped = async <Outcome extends object>(work: Promise<Outcome>): Promise<Outcome> => {
    const outcome = await work
    if (!('refused' in outcome)) stuckAt = undefined
    return outcome
  }

  return {
    relieve: (pressure, options) => inTurn(() => relieve(pressure, options)),
    compact: (options) => inTurn(() => helped(compact(options))),
    install: (owner, draft, trigger) => inTurn(() => helped(installProposed(context, owner, draft, trigger))),
    nextCut: (messages) => next && placeBefore(messages, next.cut),
  }
}

async function countFailure(context: ReliefContext, before: BreakerState): Promise<void> {
  const after = afterFailure(before)
  await context.conversation.append(coreState('relief', after))
  if (isStopped(after) && !isStopped(before)) await tellStop(context, after)
}

/** What failed while another way helped is not paid for at each fold: after two failures in a row it rests, and that is said. */
async function keepRests(context: ReliefContext, { ways }: ClimbEnd): Promise<void> {
  const before = readRests(context.view().state('core', 'rests'))
  const after = afterClimb(before, new Map([...ways].map(([way, { end }]) => [way, end])))
  const kept = Object.fromEntries(after)
  if (JSON.stringify(kept) === JSON.stringify(Object.fromEntries(before))) return
  await context.conversation.append(coreState('rests', kept))
  for (const [way, { end, reason }] of ways) {
    const rest = after.get(way)
    if (end !== 'failed' || !rest || rest.left === 0) continue
    const text = restNotice(way, rest, reason)
    await context.conversation.append({ kind: 'notice', owner: 'core', level: 'warning', text })
  }
}

/**
 * Where the cache has to be kept up to: the cut just made, whose request has to find the entry before it however far its
 * end is, or else the first place where something is on offer. A digest is never chosen for its price, and what begins
 * the view has the end of the system prompt before it.
 */
function nextOf({ conversation, view }: ReliefContext, { taken, untaken }: ClimbEnd, answered: number) {
  const { timeline } = conversation.projection
  const start = view().rounds[0]?.span.from
  const placesOf = (offers: readonly CollectedOffer[]) =>
    offers
      .filter(({ rung, offer }) => rung !== 'digest' && offer.span.from !== start)
      .flatMap(({ offer }) => timeline.place(offer.span.from) ?? [])
      .sort((a, b) => a.ordinal - b.ordinal)
  const first = placesOf(taken)[0] ?? placesOf(untaken)[0]
  return first && { cut: first.entry.id, answered }
}

interface Shown {
  readonly prepared: PreparedDraft
  readonly state: string
}

/** Compaction that a person asks for, with the last dry run kept so that it can be installed as it was shown. */
function compactByHand(context: ReliefContext): (options: CompactOptions) => Promise<CompactOutcome> {
  const state = () => viewState(context.conversation.projection)
  let shown: Shown | undefined
  const useShown = async (receipt: Receipt): Promise<CompactOutcome> => {
    const kept = shown?.prepared.receipt?.undo === receipt.undo ? shown : undefined
    if (!kept) return { refused: 'There is no such dry run any more.' }
    if (kept.state !== state()) return { refused: 'The view has changed since the dry run.' }
    shown = undefined
    return installShown(context, kept.prepared)
  }
  return async (options) => {
    if (options.signal.aborted) return { refused: 'Aborted.' }
    if (options.use) return useShown(options.use)
    const end = await climb(context, orderFor(context, options))
    if (end.prepared?.receipt) {
      shown = { prepared: end.prepared, state: state() }
      return { receipt: end.prepared.receipt }
    }
    const edit = end.accepted.find(({ receipt }) => receipt)
    if (edit) {
      const worked = [...end.ways].filter(([, { end: how }]) => how === 'worked')
      await keepRests(context, { ...end, ways: new Map(worked) })
      return outcome(edit)
    }
    if (options.signal.aborted) return { refused: 'Aborted.' }
    return { refused: end.reasons.join(' ') || 'There is nothing to compact.' }
  }
}

function orderFor(context: ReliefContext, options: CompactOptions): ClimbOrder {
  const { instructions, part, dryRun = false, by = 'api', signal } = options
  const { total } = context.view().tokens
  const asked = { ...(instructions !== undefined && { instructions }), ...(part && { part }) }
  return {
    pressure: 'manual',
    trigger: 'manual',
    by,
    // Notes stand for the whole session and were written before anybody asked for anything.
    rungs: instructions === undefined && !part ? ['notes', 'summary', 'digest'] : ['summary', 'digest'],
    need: needOf(context, { pressure: 'high', trigger: 'manual', excess: total, target: 0, signal, ...asked }),
    dryRun,
    isDone: ({ accepted, prepared }) => prepared?.receipt !== undefined || accepted.some(({ receipt }) => receipt),
    // A person sees what it was worth, so the breaker starts afresh.
    afterFold: () => ({ ...afterFold(readBreaker(context.view().state('core', 'relief')), undefined), lean: 0 }),
  }
}

/** Handlers hear that it is meant this time. What they noted for the dry run is in the fold: nothing is added to what was shown. */
async function installShown(context: ReliefContext, prepared: PreparedDraft): Promise<CompactOutcome> {
  const receipt = prepared.receipt as Receipt
  const task = { ...prepared.task, dryRun: false }
  const event = compactEvent(context, task, receipt.covers)
  await context.collectNotes(() => context.hooks.collect('PostCompact', { ...event, receipt }))
  const edit = await appendPrepared(context, { ...prepared, task, isShown: true })
  if ('refused' in edit) return edit
  if (prepared.startsView) await context.hooks.collect('SessionStart', { source: 'compact' })
  return outcome(edit)
}

function outcome(edit: Edit): CompactOutcome {
  return { edit, receipt: edit.receipt as Receipt }
}

type Installed = Edit | { readonly refused: string }

/** Installs what background work has drafted, by the same checks. A fold may still be vetoed; instructions come too late. */
async function installProposed(
  context: ReliefContext,
  owner: string,
  draft: Draft,
  trigger: Receipt['trigger'],
): Promise<Installed> {
  const installed = await install(context, draft, {
    trigger,
    by: 'plugin',
    dryRun: false,
    owner,
    rung: draft.isPiece ? 'notes' : rungOf(context, owner),
    pressure: 'proposed',
    signal: new AbortController().signal,
    afterFold: () => afterFold(readBreaker(context.view().state('core', 'relief')), undefined),
  })
  const isRefused = 'refused' in installed
  const reason = isRefused ? installed.refused : 'Installed.'
  const verdict = isRefused ? ('refused' as const) : ('taken' as const)
  context.emit({ type: 'relief', decision: { verdict, reason, pressure: 'proposed', owner } })
  return installed
}

async function install(context: ReliefContext, draft: Draft, task: DraftTask): Promise<Installed> {
  const refused = checkDraft(context, draft, task)
  if (refused !== undefined) return { refused }
  const span = draft.changes.find((change) => change.kind === 'fold')?.span
  if (!span) return prepareAndAppend(context, draft, task)
  const { veto, instructions } = await askPreCompact(context, compactEvent(context, task, span))
  const late = instructions.length > 0 ? { ignored: instructions.join('\n') } : {}
  const result = veto === undefined ? await prepareAndAppend(context, draft, { ...task, ...late }) : { refused: veto }
  if ('refused' in result) {
    const error = veto === undefined ? new Error(result.refused) : new NacreError('BLOCKED', veto)
    await context.hooks.collect('CompactFailed', { ...compactEvent(context, task, span), error })
  }
  return result
}

async function prepareAndAppend(context: ReliefContext, draft: Draft, task: DraftTask): Promise<Installed> {
  const prepared = await prepareDraft(context, draft, task)
  return 'refused' in prepared ? prepared : appendPrepared(context, prepared)
}

/** A proposal does not say on which rung it stands: the one on which its owner folds, unless it is a piece of work with its record at hand. */
function rungOf(context: ReliefContext, owner: string): Rung {
  return context.reliefs().find(({ owner: by, item }) => by === owner && FOLDING.has(item.rung))?.item.rung ?? 'summary'
}
