import type { Draft, Need } from '../contract/relief.js'
import { callWithin } from '../hooks/call-within.js'
import { realTimer } from '../hooks/timer.js'
import type { Edit, Fold, Receipt, Rung } from '../log/edit.js'
import type { Span } from '../log/entry.js'
import { appendPrepared } from './append-prepared.js'
import type { BreakerState } from './breaker.js'
import { compactEvent } from './compact-event.js'
import { type DraftTask, FOLDING } from './draft-task.js'
import { type HeardOffer, hearOffers } from './hear-offers.js'
import type { CutDecision } from './money-model.js'
import { type PreparedDraft, prepareDraft } from './prepare-draft.js'
import type { ReliefDecision, ReliefVerdict } from './relief-decision.js'
import type { ReliefParts } from './relief-parts.js'
import { spanState } from './span-state.js'
import { touchesPinned } from './touches-pinned.js'

/** What a climb is for, and when it is over. */
export interface ClimbOrder {
  readonly pressure: ReliefDecision['pressure']
  readonly trigger: Receipt['trigger']
  readonly rungs: readonly Rung[]
  readonly need: Need
  readonly dryRun: boolean
  isDone(end: ClimbEnd): boolean
  /** Whether an offer pays; without it all do. */
  judge?(heard: HeardOffer): CutDecision
  taken?(heard: HeardOffer): void
  afterFold(share: number): BreakerState
}

/** How far a climb came. */
export interface ClimbEnd {
  readonly accepted: Edit[]
  /** What a dry run would have appended. */
  prepared?: PreparedDraft
  readonly untaken: HeardOffer[]
  /** Why drafts were not installed. */
  readonly reasons: string[]
  /** Known once `PreCompact` was asked. */
  instructions?: readonly string[]
  vetoed?: string
  hasFailedToFold: boolean
}

/** Goes up rung by rung, and on each from the cheapest offer on, until it is done, vetoed or aborted. */
export async function climb(parts: ReliefParts, order: ClimbOrder): Promise<ClimbEnd> {
  const end: ClimbEnd = { accepted: [], untaken: [], reasons: [], hasFailedToFold: false }
  const isOver = () => order.need.signal.aborted || end.vetoed !== undefined || order.isDone(end)
  for (const rung of order.rungs) {
    if (isOver()) break
    for (const heard of await hearOffers(parts, rung, order.need, order.pressure)) {
      const isTaken = !isOver() && (await tryOffer(parts, order, end, heard))
      if (!isTaken) end.untaken.push(heard)
    }
  }
  return end
}

async function tryOffer(parts: ReliefParts, order: ClimbOrder, end: ClimbEnd, heard: HeardOffer): Promise<boolean> {
  const { offer, owner, name, rung } = heard
  const say = (verdict: ReliefVerdict, reason: string, figures?: CutDecision['figures']) => {
    const decision = { verdict, reason, pressure: order.pressure, owner, name, rung, ...(figures && { figures }) }
    parts.emit({ type: 'relief', decision })
    if (verdict !== 'taken') end.reasons.push(reason)
    return verdict === 'taken'
  }
  if (hasChanged(parts, heard)) return say('void', CHANGED)
  const judged = order.judge?.(heard)
  if (judged && !judged.pays) return say('declined', 'It does not pay yet.', judged.figures)
  if (FOLDING.has(rung)) {
    if (isPinned(parts, order, offer.span)) return say('refused', 'It reaches what a person has brought back.')
    if (!(await announce(parts, order, end, offer.span))) return say('vetoed', end.vetoed ?? '')
  }
  const prepared = await draftAndPrepare(parts, order, end, heard)
  if (order.need.signal.aborted) return false
  const result =
    'error' in prepared ? prepared : order.dryRun ? { shown: prepared } : await appendPrepared(parts, prepared)
  if ('error' in result || 'refused' in result) {
    const error = 'error' in result ? result.error : new Error(result.refused)
    await failed(parts, order, end, heard, error)
    return say('error' in result && !result.isRefusal ? 'failed' : 'refused', error.message)
  }
  if ('shown' in result) end.prepared = result.shown
  else end.accepted.push(result)
  order.taken?.(heard)
  return say('taken', order.dryRun ? 'Shown, not installed.' : 'Installed.', judged?.figures)
}

const CHANGED = 'The view has changed inside its span since it was offered.'

function hasChanged({ conversation }: ReliefParts, { offer, state }: HeardOffer): boolean {
  return spanState(conversation.projection, offer.span) !== state
}

function isPinned(parts: ReliefParts, { trigger }: ClimbOrder, span: Span): boolean {
  const fold: Fold = { kind: 'fold', span, content: [] }
  return trigger === 'auto' && touchesPinned(parts.conversation.projection.timeline, [fold], parts.pinned())
}

/** Asks `PreCompact` once: gathers instructions, the user's first; any veto ends the climb. */
async function announce(parts: ReliefParts, order: ClimbOrder, end: ClimbEnd, span: Span): Promise<boolean> {
  if (end.instructions) return true
  const { instructions } = order.need
  const answers = await parts.hooks.collect('PreCompact', compactEvent(parts, { ...order, ...own(instructions) }, span))
  const veto = answers.find(({ answer }) => 'veto' in answer)
  if (veto && 'veto' in veto.answer) end.vetoed = `${veto.owner}: ${veto.answer.veto}`
  const gathered = answers.flatMap(({ answer }) => ('instructions' in answer ? [answer.instructions] : []))
  end.instructions = [...(instructions === undefined ? [] : [instructions]), ...gathered]
  return end.vetoed === undefined
}

function own(instructions: string | undefined): { readonly instructions?: string } {
  return instructions === undefined ? {} : { instructions }
}

interface Failure {
  readonly error: Error
  readonly isRefusal: boolean
}

async function draftAndPrepare(
  parts: ReliefParts,
  order: ClimbOrder,
  end: ClimbEnd,
  heard: HeardOffer,
): Promise<PreparedDraft | Failure> {
  const { signal } = order.need
  const limits = { signal, timeout: Number.POSITIVE_INFINITY, timer: parts.timer ?? realTimer }
  const instructions = end.instructions ?? []
  try {
    const draft: Draft = await callWithin(limits, (inner) => heard.offer.draft({ instructions, signal: inner }))
    if (hasChanged(parts, heard)) return { error: new Error(CHANGED), isRefusal: true }
    const prepared = await prepareDraft(parts, draft, taskOf(order, end, heard))
    return 'refused' in prepared ? { error: new Error(prepared.refused), isRefusal: true } : prepared
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)), isRefusal: false }
  }
}

/** Notes are written before anybody asks for anything, so what was asked for is told as ignored. */
function taskOf(order: ClimbOrder, end: ClimbEnd, { owner, rung }: HeardOffer): DraftTask {
  const { trigger, pressure, dryRun, need, afterFold } = order
  const ignored = rung === 'notes' && end.instructions?.length ? { ignored: end.instructions.join('\n') } : {}
  return {
    owner,
    rung,
    trigger,
    pressure,
    dryRun,
    signal: need.signal,
    afterFold,
    ...own(need.instructions),
    ...ignored,
  }
}

async function failed(
  parts: ReliefParts,
  order: ClimbOrder,
  end: ClimbEnd,
  { rung, offer }: HeardOffer,
  error: Error,
): Promise<void> {
  if (!FOLDING.has(rung)) return
  end.hasFailedToFold = true
  const event = compactEvent(parts, { ...order, ...own(order.need.instructions) }, offer.span)
  await parts.hooks.collect('CompactFailed', { ...event, error })
}
