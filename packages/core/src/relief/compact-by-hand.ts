import type { Edit, Receipt } from '../log/edit.js'
import { appendPrepared } from './append-prepared.js'
import { afterFold, readBreaker } from './breaker.js'
import { circumstances } from './circumstances.js'
import { climb } from './climb.js'
import type { ClimbOrder } from './climb-order.js'
import { compactEvent } from './compact-event.js'
import type { PreparedDraft } from './prepare-draft.js'
import type { ReliefParts } from './relief-parts.js'
import type { CompactOptions, CompactOutcome } from './session-relief.js'
import { viewState } from './span-state.js'

interface Shown {
  readonly prepared: PreparedDraft
  readonly state: string
}

/** Compaction that a person asks for, with the last dry run kept so that it can be installed as it was shown. */
export function compactByHand(parts: ReliefParts): (options: CompactOptions) => Promise<CompactOutcome> {
  const state = () => viewState(parts.conversation.projection)
  let shown: Shown | undefined
  const useShown = async (receipt: Receipt): Promise<CompactOutcome> => {
    const kept = shown?.prepared.receipt?.undo === receipt.undo ? shown : undefined
    if (!kept) return { refused: 'There is no such dry run any more.' }
    if (kept.state !== state()) return { refused: 'The view has changed since the dry run.' }
    shown = undefined
    return installShown(parts, kept.prepared)
  }
  return async (options) => {
    if (options.signal.aborted) return { refused: 'Aborted.' }
    if (options.use) return useShown(options.use)
    const end = await climb(parts, orderFor(parts, options))
    if (end.prepared?.receipt) {
      shown = { prepared: end.prepared, state: state() }
      return { receipt: end.prepared.receipt }
    }
    const edit = end.accepted.find(({ receipt }) => receipt)
    if (edit) return outcome(edit)
    if (options.signal.aborted) return { refused: 'Aborted.' }
    return { refused: end.reasons.join(' ') || 'There is nothing to compact.' }
  }
}

function orderFor(parts: ReliefParts, { instructions, part, dryRun = false, signal }: CompactOptions): ClimbOrder {
  const { total } = parts.view().tokens
  const asked = { ...(instructions !== undefined && { instructions }), ...(part && { part }) }
  return {
    pressure: 'manual',
    trigger: 'manual',
    // Notes stand for the whole session and were written before anybody asked for anything.
    rungs: instructions === undefined && !part ? ['notes', 'summary', 'digest'] : ['summary', 'digest'],
    need: { pressure: 'high', excess: total, target: 0, ...circumstances(parts), signal, ...asked },
    dryRun,
    isDone: ({ accepted, prepared }) => prepared?.receipt !== undefined || accepted.some(({ receipt }) => receipt),
    // A person sees what it was worth, so the breaker starts afresh.
    afterFold: () => ({ ...afterFold(readBreaker(parts.view().state('core', 'relief')), undefined), lean: 0 }),
  }
}

/** Handlers hear that it is meant this time. What they noted for the dry run is in the fold: nothing is added to what was shown. */
async function installShown(parts: ReliefParts, prepared: PreparedDraft): Promise<CompactOutcome> {
  const receipt = prepared.receipt as Receipt
  const task = { ...prepared.task, dryRun: false }
  const event = compactEvent(parts, task, receipt.covers)
  await parts.collectNotes(() => parts.hooks.collect('PostCompact', { ...event, receipt }))
  const edit = await appendPrepared(parts, { ...prepared, task, isShown: true })
  if ('refused' in edit) return edit
  if (prepared.startsView) await parts.hooks.collect('SessionStart', { source: 'compact' })
  return outcome(edit)
}

function outcome(edit: Edit): CompactOutcome {
  return { edit, receipt: edit.receipt as Receipt }
}
