import type { Draft } from '../contract/relief.js'
import type { Change, Fold, Insert, Note, Receipt } from '../log/edit.js'
import { checkEdit, type Proposal } from '../view/check-edit.js'
import { checkDraft } from './check-draft.js'
import { compactEvent } from './compact-event.js'
import { draftReceipt } from './draft-receipt.js'
import type { DraftTask } from './draft-task.js'
import { checkSize, notesOf, restoreBudget } from './fold-room.js'
import { type FoldSize, foldSize } from './fold-size.js'
import type { ReliefParts } from './relief-parts.js'
import { restoreItems } from './restore-items.js'

/** A draft that passed every check, with all that core adds to it. `receipt` only for a fold, before its price is known. */
export interface PreparedDraft {
  readonly task: DraftTask
  readonly proposal: Proposal
  readonly receipt?: Receipt
  readonly startsView: boolean
  /** A person has seen its receipt and gets that very one, whatever is measured in the end. */
  readonly isShown?: true
}

type Refused = { readonly refused: string }

/** Checks a draft and completes a fold: what restorers bring back, new system bytes, the notes of its hooks. */
export async function prepareDraft(
  parts: ReliefParts,
  draft: Draft,
  task: DraftTask,
): Promise<PreparedDraft | Refused> {
  const refused = checkDraft(parts, draft, task)
  if (refused !== undefined) return { refused }
  const { owner } = task
  const { reason, changes } = draft
  const fold = changes.find((change) => change.kind === 'fold')
  if (!fold) return { task, proposal: { owner, reason, changes }, startsView: false }
  const size = foldSize(parts.view(), parts.conversation.projection, fold, parts.tokens)
  if (!size) return { refused: 'The span is not in view.' }
  const tooLarge = checkSize(parts, size, notesOf(changes), task)
  if (tooLarge !== undefined) return { refused: tooLarge }
  return completeFold(parts, draft, { task, fold, size })
}

interface MeasuredFold {
  readonly task: DraftTask
  readonly fold: Fold
  readonly size: FoldSize
}

async function completeFold(
  parts: ReliefParts,
  draft: Draft,
  { task, fold, size }: MeasuredFold,
): Promise<PreparedDraft | Refused> {
  const { signal, pressure, owner } = task
  const startsView = size.startsView && !draft.isPiece
  const covers = fold.span
  const budget = draft.isPiece ? 0 : restoreBudget(parts, size, notesOf(draft.changes))
  const back = await restoreItems(parts, { folded: covers, budget, pressure, signal })
  const epoch = startsView && !fold.epoch ? await renewed(parts, task) : undefined
  const changes: Change[] = [
    ...draft.changes.map((change) => (change === fold && epoch ? { ...change, epoch } : change)),
    ...back.map(({ note }) => insert(note)),
  ]
  const drafted = { task, draft, covers, size, restored: back.map(({ item }) => item) }
  const notes = await hookNotes(parts, task, draftReceipt(parts, { ...drafted, changes }), startsView)
  const all = [...changes, ...notes.map(insert)]
  const proposal = { owner, reason: draft.reason, changes: all }
  const tooLarge = checkSize(parts, size, notesOf(all), task)
  const refused = tooLarge ?? checkEdit(parts.conversation.projection, proposal)
  if (refused !== undefined) return { refused }
  return { task, proposal, receipt: draftReceipt(parts, { ...drafted, changes: all }), startsView }
}

function insert(note: Note): Insert {
  return { kind: 'insert', note }
}

/** Memory fails open: without new system bytes the old ones stay. */
async function renewed(parts: ReliefParts, { pressure }: DraftTask) {
  try {
    return await parts.renewEpoch()
  } catch (error) {
    const reason = `The system prompt could not be made anew: ${error instanceof Error ? error.message : String(error)}`
    parts.emit({ type: 'relief', decision: { verdict: 'failed', reason, pressure, owner: 'core' } })
    return undefined
  }
}

/** What handlers note while they hear of the fold. A note stands on its own: the result it was meant for may be folded. */
async function hookNotes(parts: ReliefParts, task: DraftTask, receipt: Receipt, startsView: boolean): Promise<Note[]> {
  const event = compactEvent(parts, task, receipt.covers)
  const { notes } = await parts.collectNotes(async () => {
    await parts.hooks.collect('PostCompact', { ...event, receipt })
    if (startsView && !task.dryRun) await parts.hooks.collect('SessionStart', { source: 'compact' })
  })
  return notes.flatMap(({ note: { inside: _, ...note } }) => (note.text.trim() === '' ? [] : [note]))
}
