import { callWithin, realTimer } from '../async.js'
import { NacreError } from '../errors.js'
import type { CutDecision, ReliefDecision, ReliefVerdict } from '../types/events.js'
import type { Edit, Receipt, Rung, Span, Usage } from '../types/log.js'
import type { CompactPlan, Draft, Need, Offer } from '../types/relief.js'
import { appendPrepared } from './append.js'
import type { BreakerState } from './breaker.js'
import { askPreCompact, compactEvent, type DraftTask, FOLDING, type ReliefContext } from './context.js'
import { type PreparedDraft, prepareDraft } from './draft.js'
import { foldable } from './receipt.js'
import { isResting, readRests, type WayEnd } from './rests.js'
import { spanState } from './spans.js'

/** Goes up rung by rung, and on each from the cheapest offer on, until it is done, vetoed or aborted. */
export async function climb(context: ReliefContext, order: ClimbOrder): Promise<ClimbEnd> {
  const end: ClimbEnd = {
    accepted: [],
    taken: [],
    untaken: [],
    reasons: [],
    ways: new Map(),
    hasFailedToFold: false,
    spent: 0,
  }
  const isOver = () => order.need.signal.aborted || end.vetoed !== undefined || order.isDone(end)
  const rests = order.trigger === 'manual' ? undefined : readRests(context.view().state('core', 'rests'))
  const resting: CollectedOffer[] = []
  const tryOne = async (collected: CollectedOffer) => {
    const isTaken = !isOver() && (await tryOffer(context, order, end, collected))
    const heap = isTaken ? end.taken : end.untaken
    heap.push(collected)
  }
  for (const rung of order.rungs) {
    if (isOver()) break
    for (const collected of await collectOffers(context, rung, order.need, order.pressure)) {
      if (rests && isResting(rests, wayOf(collected)) && !isOver()) resting.push(collected)
      else await tryOne(collected)
    }
  }
  for (const collected of resting) {
    if (isOver() || order.pressure === 'idle') leaveOut(context, order, end, collected)
    else await tryOne(collected)
  }
  return end
}

/** The name of a way of compacting, for the log and for people. */
function wayOf({ owner, name }: CollectedOffer): string {
  return owner === name ? owner : `${owner} (${name})`
}

function leaveOut(context: ReliefContext, { pressure }: ClimbOrder, end: ClimbEnd, collected: CollectedOffer): void {
  const { owner, name, rung } = collected
  const reason = 'It has failed again and again, so it rests.'
  context.emit({ type: 'relief', decision: { verdict: 'stopped', reason, pressure, owner, name, rung } })
  end.ways.set(wayOf(collected), { end: 'rested', reason })
  end.untaken.push(collected)
}

/** What a climb is for, and when it is over. */
export interface ClimbOrder {
  readonly pressure: ReliefDecision['pressure']
  readonly trigger: Receipt['trigger']
  /** The runtime by itself unless told. */
  readonly by?: DraftTask['by']
  readonly rungs: readonly Rung[]
  readonly need: Need
  readonly dryRun: boolean
  isDone(end: ClimbEnd): boolean
  /** Whether an offer pays; without it all do. */
  judge?(collected: CollectedOffer): CutDecision
  taken?(collected: CollectedOffer): void
  /** The breaker once a fold has freed that part of the view. */
  afterFold(share: number): BreakerState
}

/** How far a climb came. */
export interface ClimbEnd {
  readonly accepted: Edit[]
  /** What a dry run would have appended. */
  prepared?: PreparedDraft
  readonly taken: CollectedOffer[]
  readonly untaken: CollectedOffer[]
  /** Why drafts were not installed. */
  readonly reasons: string[]
  /** Known once `PreCompact` was asked; the user's come first. */
  instructions?: readonly string[]
  vetoed?: string
  hasFailedToFold: boolean
  /** Of those on rungs that fold: what became of each, and why. What has cost nothing and was refused is not there. */
  readonly ways: Map<string, { readonly end: WayEnd; readonly reason: string }>
  /** Dollars that drafts have cost since one was taken: what failed is paid for as well. */
  spent: number
}

/** Takes an offer if it is still good, pays, and its draft passes every check; whether it did. */
async function tryOffer(
  context: ReliefContext,
  order: ClimbOrder,
  end: ClimbEnd,
  collected: CollectedOffer,
): Promise<boolean> {
  const { offer, owner, name, rung } = collected
  const say = (verdict: ReliefVerdict, reason: string, figures?: CutDecision['figures']) => {
    const decision = { verdict, reason, pressure: order.pressure, owner, name, rung, ...(figures && { figures }) }
    context.emit({ type: 'relief', decision })
    if (verdict !== 'taken') end.reasons.push(reason)
    return verdict === 'taken'
  }
  if (hasChanged(context, collected)) return say('void', CHANGED)
  const judged = order.judge?.(collected)
  if (judged && !judged.pays && !offer.isDue) return say('declined', 'It does not pay yet.', judged.figures)
  if (FOLDING.has(rung)) {
    if (order.trigger === 'auto' && context.view().isPinned(offer.span))
      return say('refused', 'It reaches what a person has brought back.')
    if (!(await announce(context, order, end, offer.span))) {
      await tellFailure(context, order, offer.span, new NacreError('BLOCKED', end.vetoed ?? ''))
      return say('vetoed', end.vetoed ?? '')
    }
  }
  const spent = end.spent
  const prepared = await draftAndPrepare(context, order, end, collected)
  if (order.need.signal.aborted) return false
  const result =
    'error' in prepared ? prepared : order.dryRun ? { shown: prepared } : await appendPrepared(context, prepared)
  if ('error' in result || 'refused' in result) {
    const error = 'error' in result ? result.error : new Error(result.refused)
    const verdict = 'error' in result && !result.isRefusal ? 'failed' : 'refused'
    await failed(context, order, end, collected, error)
    if (FOLDING.has(rung) && (verdict === 'failed' || end.spent > spent))
      end.ways.set(wayOf(collected), { end: 'failed', reason: error.message })
    return say(verdict, error.message)
  }
  if (FOLDING.has(rung)) end.ways.set(wayOf(collected), { end: 'worked', reason: '' })
  end.spent = 0
  if ('shown' in result) end.prepared = result.shown
  else end.accepted.push(result)
  order.taken?.(collected)
  return say('taken', order.dryRun ? 'Shown, not installed.' : 'Installed.', judged?.figures)
}

const CHANGED = 'The view has changed inside its span since it was offered.'

function hasChanged({ conversation }: ReliefContext, { offer, state }: CollectedOffer): boolean {
  return spanState(conversation.projection, offer.span) !== state
}

/** Asks `PreCompact` once for each climb; any veto ends it. */
async function announce(context: ReliefContext, order: ClimbOrder, end: ClimbEnd, span: Span): Promise<boolean> {
  if (end.instructions) return true
  const asked = own(order.need.instructions)
  const { instructions, veto } = await askPreCompact(context, compactEvent(context, { ...order, ...asked }, span))
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
  context: ReliefContext,
  order: ClimbOrder,
  end: ClimbEnd,
  collected: CollectedOffer,
): Promise<PreparedDraft | Failure> {
  const { signal } = order.need
  const limits = { signal, timeout: Number.POSITIVE_INFINITY, timer: context.timer ?? realTimer }
  const wasted = end.spent
  try {
    const draft: Draft = await callWithin(limits, (inner) =>
      watched(context, collected, collected.offer.draft(planFor(context, order, end, inner))),
    )
    if (hasChanged(context, collected)) return { error: new Error(CHANGED), isRefusal: true }
    const prepared = await prepareDraft(context, draft, { ...taskOf(order, end, collected, draft), wasted })
    return 'refused' in prepared ? { error: new Error(prepared.refused), isRefusal: true } : prepared
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)), isRefusal: false }
  }
}

function watched<Work>(
  { watch }: ReliefContext,
  { owner, name }: Pick<CollectedOffer, 'owner' | 'name'>,
  work: Work,
): Work {
  return watch ? watch({ what: 'relief', name, plugin: owner }, work) : work
}

function planFor(context: ReliefContext, { trigger }: ClimbOrder, end: ClimbEnd, signal: AbortSignal): CompactPlan {
  return {
    instructions: end.instructions ?? [],
    trigger,
    signal,
    messages: () => context.conversation.rendering().messages,
    extendsAnswered: context.extendsAnswered,
    cachedUpTo: context.cachedUpTo,
    fork: async (options) => billed(end, await context.fork(options)),
    ask: async (options) => billed(end, await context.ask(options)),
  }
}

function billed<Result extends { readonly usage: Usage }>(end: ClimbEnd, result: Result): Result {
  end.spent += result.usage.dollars
  return result
}

function taskOf(order: ClimbOrder, end: ClimbEnd, { owner, rung }: CollectedOffer, draft: Draft): DraftTask {
  const { trigger, by = 'auto', pressure, dryRun, need, afterFold } = order
  const ignored = ignoredBy(rung, draft, end.instructions ?? [])
  return {
    owner,
    rung,
    trigger,
    by,
    pressure,
    dryRun,
    signal: need.signal,
    afterFold,
    ...own(need.instructions),
    ...(ignored.length > 0 && { ignored: ignored.join('\n') }),
  }
}

/**
 * Notes are written before anybody asks for anything, and a digest by nobody who could follow, so what was asked for is
 * told as ignored. A summary that does not tell what it was made with is taken at its word that it was all.
 */
function ignoredBy(rung: Rung, { followed }: Draft, instructions: readonly string[]): readonly string[] {
  if (!followed && rung === 'summary') return []
  return instructions.filter((each) => !followed?.includes(each))
}

async function failed(
  context: ReliefContext,
  order: ClimbOrder,
  end: ClimbEnd,
  { rung, offer }: CollectedOffer,
  error: Error,
): Promise<void> {
  if (!FOLDING.has(rung)) return
  end.hasFailedToFold = true
  await tellFailure(context, order, offer.span, error)
}

async function tellFailure(context: ReliefContext, order: ClimbOrder, span: Span, error: Error): Promise<void> {
  const event = compactEvent(context, { ...order, ...own(order.need.instructions) }, span)
  await context.hooks.collect('CompactFailed', { ...event, error })
}

/** An offer, who made it, and what its span looked like then. */
export interface CollectedOffer {
  readonly owner: string
  readonly name: string
  readonly rung: Rung
  readonly offer: Offer
  readonly state: string
}

/** Asks all reliefs of a rung at once; the cheapest offer first. One that throws, or offers nothing that can be used, is told of and left out. */
async function collectOffers(
  context: ReliefContext,
  rung: Rung,
  need: Need,
  pressure: ReliefDecision['pressure'],
): Promise<readonly CollectedOffer[]> {
  const view = context.view()
  const limits = { signal: need.signal, timeout: Number.POSITIVE_INFINITY, timer: context.timer ?? realTimer }
  const asked = context.reliefs().filter(({ item }) => item.rung === rung)
  const collected = await Promise.all(
    asked.map(async ({ owner, item }): Promise<CollectedOffer[]> => {
      const { name } = item
      const skip = (verdict: 'failed' | 'void', reason: string) => {
        context.emit({ type: 'relief', decision: { verdict, reason, pressure, owner, name, rung } })
        return []
      }
      try {
        const offer = await callWithin(limits, (signal) =>
          watched(context, { owner, name }, item.offer(view, { ...need, signal })),
        )
        if (offer === undefined) return []
        const state = spanState(context.conversation.projection, offer.span)
        if (state === undefined) return skip('void', 'Its span is not in view.')
        if (!(offer.frees > 0) || !(offer.dollars >= 0)) return skip('void', 'It offers to free nothing.')
        return [{ owner, name, rung, offer, state }]
      } catch (error) {
        if (need.signal.aborted) return []
        return skip('failed', error instanceof Error ? error.message : String(error))
      }
    }),
  )
  return collected.flat().sort((a, b) => a.offer.dollars - b.offer.dollars)
}

type Asked = Pick<Need, 'pressure' | 'trigger' | 'excess' | 'target' | 'instructions' | 'part' | 'signal'>

/** What is asked of every relief, with what it has to know of the session for that. */
export function needOf(context: ReliefContext, asked: Asked): Need {
  return {
    ...asked,
    foldable: () => foldable(context, asked),
    tokens: context.tokens,
    scale: context.thresholds().scale,
    model: context.model(),
    pace: context.pace(),
    tool: context.tool,
  }
}
