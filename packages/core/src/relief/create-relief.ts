import { oneAtATime } from '../async/one-at-a-time.js'
import type { Pressure } from '../contract/relief.js'
import { coreState } from '../log/core-state.js'
import type { Rung } from '../log/edit.js'
import type { Id } from '../log/entry.js'
import { placeBefore } from '../request/place-before.js'
import { afterFailure, afterFold, type BreakerState, isStopped, readBreaker } from './breaker.js'
import { circumstances } from './circumstances.js'
import { climb } from './climb.js'
import type { ClimbEnd, ClimbOrder } from './climb-order.js'
import { compactByHand } from './compact-by-hand.js'
import type { HeardOffer } from './hear-offers.js'
import { heldStock } from './held-stock.js'
import { installProposed } from './install-proposed.js'
import { judgeOffers } from './judge-offers.js'
import type { ReliefParts } from './relief-parts.js'
import type { RelieveOptions, SessionRelief } from './session-relief.js'
import { tellStop } from './tell-stop.js'

const RUNGS: readonly Rung[] = ['erase', 'clear', 'notes', 'summary', 'digest']
/** A climb that did not help is not repeated before the view has grown by this part of the threshold. */
const GROWTH = 0.05
/** What to free when the API says that it is too much and not by how much. */
const UNNAMED_GAP = 0.2

/** The arbiter between all that can free context. */
export function createRelief(parts: ReliefParts): SessionRelief {
  const inTurn = oneAtATime()
  const compact = compactByHand(parts)
  const stock = heldStock()
  let stuckAt: number | undefined
  let next: { readonly cut: Id; readonly answered: number } | undefined

  const total = () => parts.view().tokens.total
  const threshold = () => parts.view().tokens.threshold
  const breaker = () => readBreaker(parts.view().state('core', 'relief'))
  const answered = () => parts.conversation.projection.timeline.rounds.findLastIndex(({ hasResponse }) => hasResponse)
  /** The mark before the next cut is a cache entry only once a request has carried it. */
  const liveMark = () => (next && answered() > next.answered ? next.cut : undefined)

  const orderFor = (pressure: Pressure, { signal, gap }: RelieveOptions): ClimbOrder => {
    const before = total()
    const toFree = pressure === 'overflow' ? Math.max(1, gap ?? Math.ceil(before * UNNAMED_GAP)) : 0
    const start = breaker()
    let freed = 0
    const isHeld = pressure !== 'overflow' && isStopped(start)
    return {
      pressure,
      trigger: pressure === 'overflow' ? 'overflow' : 'auto',
      rungs: isHeld ? RUNGS.slice(0, 2) : RUNGS,
      need: {
        pressure,
        excess: Math.max(0, before - threshold(), toFree),
        target: threshold(),
        ...circumstances(parts),
        signal,
      },
      dryRun: false,
      isDone: () => pressure !== 'idle' && total() <= threshold() && before - total() >= toFree,
      ...(pressure === 'idle' && judgeOffers(parts, liveMark(), stock)),
      // All folds of a climb are one compaction: they are measured together, from where it began.
      afterFold(share) {
        freed += share
        return { ...afterFold(start, pressure === 'idle' ? undefined : freed), folds: breaker().folds + 1 }
      },
    }
  }

  const settle = async (end: ClimbEnd, pressure: Pressure, before: number) => {
    if (pressure !== 'overflow') next = nextOf(parts, end, answered())
    const hasFolded = end.accepted.some(({ receipt }) => receipt)
    if (end.hasFailedToFold && !hasFolded) await countFailure(parts, breaker())
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
      parts.emit({ type: 'relief', decision: { verdict: 'stopped', reason, pressure } })
      return false
    }
    const end = await climb(parts, orderFor(pressure, options))
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
    install: (owner, draft, trigger) => inTurn(() => helped(installProposed(parts, owner, draft, trigger))),
    standing: (messages) => next && placeBefore(messages, next.cut),
  }
}

async function countFailure(parts: ReliefParts, before: BreakerState): Promise<void> {
  const after = afterFailure(before)
  await parts.conversation.append(coreState('relief', after))
  if (isStopped(after) && !isStopped(before)) await tellStop(parts, after)
}

/**
 * Where the cache has to be kept up to: the cut just made, whose request has to find the entry before it however far its
 * end is, or else the first place where something is on offer. A digest is never chosen for its price, and what begins
 * the view has the end of the system prompt before it.
 */
function nextOf({ conversation, view }: ReliefParts, { taken, untaken }: ClimbEnd, answered: number) {
  const { timeline } = conversation.projection
  const start = view().rounds[0]?.span.from
  const placesOf = (offers: readonly HeardOffer[]) =>
    offers
      .filter(({ rung, offer }) => rung !== 'digest' && offer.span.from !== start)
      .flatMap(({ offer }) => timeline.place(offer.span.from) ?? [])
      .sort((a, b) => a.ordinal - b.ordinal)
  const first = placesOf(taken)[0] ?? placesOf(untaken)[0]
  return first && { cut: first.entry.id, answered }
}
