import type { CompactPlan, Draft } from '../contract/relief.js'
import { callWithin } from '../hooks/call-within.js'
import { realTimer } from '../hooks/timer.js'
import type { Fold } from '../log/edit.js'
import type { Span, Usage } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import { appendPrepared } from './append-prepared.js'
import { askPreCompact } from './ask-pre-compact.js'
import type { ClimbEnd, ClimbOrder } from './climb-order.js'
import { compactEvent } from './compact-event.js'
import { type DraftTask, FOLDING } from './draft-task.js'
import type { HeardOffer } from './hear-offers.js'
import type { CutDecision } from './money-model.js'
import { type PreparedDraft, prepareDraft } from './prepare-draft.js'
import type { ReliefVerdict } from './relief-decision.js'
import type { ReliefParts } from './relief-parts.js'
import { spanState } from './span-state.js'
import { touchesPinned } from './touches-pinned.js'

/** Takes an offer if it is still good, pays, and its draft passes every check; whether it did. */
export async function tryOffer(
  parts: ReliefParts,
  order: ClimbOrder,
  end: ClimbEnd,
  heard: HeardOffer,
): Promise<boolean> {
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
    if (!(await announce(parts, order, end, offer.span))) {
      await tellFailure(parts, order, offer.span, new NacreError('BLOCKED', end.vetoed ?? ''))
      return say('vetoed', end.vetoed ?? '')
    }
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
  end.spent = 0
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

/** Asks `PreCompact` once for each climb; any veto ends it. */
async function announce(parts: ReliefParts, order: ClimbOrder, end: ClimbEnd, span: Span): Promise<boolean> {
  if (end.instructions) return true
  const asked = own(order.need.instructions)
  const { instructions, veto } = await askPreCompact(parts, compactEvent(parts, { ...order, ...asked }, span))
  end.instructions = [...Object.values(asked), ...instructions]
  if (veto !== undefined) end.vetoed = veto
  return veto === undefined
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
  const wasted = end.spent
  try {
    const draft: Draft = await callWithin(limits, (inner) => heard.offer.draft(planFor(parts, order, end, inner)))
    if (hasChanged(parts, heard)) return { error: new Error(CHANGED), isRefusal: true }
    const prepared = await prepareDraft(parts, draft, { ...taskOf(order, end, heard), wasted })
    return 'refused' in prepared ? { error: new Error(prepared.refused), isRefusal: true } : prepared
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)), isRefusal: false }
  }
}

function planFor(parts: ReliefParts, { trigger }: ClimbOrder, end: ClimbEnd, signal: AbortSignal): CompactPlan {
  return {
    instructions: end.instructions ?? [],
    trigger,
    signal,
    messages: () => parts.conversation.rendering().messages,
    extendsAnswered: parts.extendsAnswered,
    fork: async (options) => billed(end, await parts.fork(options)),
    ask: async (options) => billed(end, await parts.ask(options)),
  }
}

function billed<Result extends { readonly usage: Usage }>(end: ClimbEnd, result: Result): Result {
  end.spent += result.usage.dollars
  return result
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
  await tellFailure(parts, order, offer.span, error)
}

async function tellFailure(parts: ReliefParts, order: ClimbOrder, span: Span, error: Error): Promise<void> {
  const event = compactEvent(parts, { ...order, ...own(order.need.instructions) }, span)
  await parts.hooks.collect('CompactFailed', { ...event, error })
}
