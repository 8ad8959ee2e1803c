import { isMessage, type Timeline } from '../log/timeline.js'
import { estimateBlock, estimateText } from '../tokens/estimate.js'
import type { Block, BlockRef, Change, Fold, Insert, Note, Receipt, Revert } from '../types/log.js'
import type { Draft } from '../types/relief.js'
import { checkEdit, type Proposal } from '../view/check-edit.js'
import { pinnedAreas, pinnedEdits, touchesPinned } from '../view/pinned.js'
import type { Projection } from '../view/projection.js'
import { refKey, segmentOf } from '../view/segment.js'
import { compactEvent, type DraftTask, FOLDING, type ReliefContext } from './context.js'
import { checkSize, draftReceipt, type FoldSize, foldSize, notesOf, restoreBudget } from './receipt.js'
import { type BroughtBack, restoreItems } from './restore.js'

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
  context: ReliefContext,
  draft: Draft,
  task: DraftTask,
): Promise<PreparedDraft | Refused> {
  const refused = checkDraft(context, draft, task)
  if (refused !== undefined) return { refused }
  if (draft.changes.some(({ kind }) => kind === 'renew'))
    return { refused: 'Only whoever uses a session can take up another prompt.' }
  const { owner } = task
  const { reason, changes } = draft
  const fold = changes.find((change) => change.kind === 'fold')
  if (!fold) return { task, proposal: { owner, reason, changes }, startsView: false }
  const size = foldSize(context.view(), context.conversation.projection, fold, context.tokens)
  if (!size) return { refused: 'The span is not in view.' }
  const tooLarge = checkSize(context, size, notesOf(changes), task)
  if (tooLarge !== undefined) return { refused: tooLarge }
  return completeFold(context, draft, { task, fold, size })
}

interface MeasuredFold {
  readonly task: DraftTask
  readonly fold: Fold
  readonly size: FoldSize
}

async function completeFold(
  context: ReliefContext,
  draft: Draft,
  { task, fold, size }: MeasuredFold,
): Promise<PreparedDraft | Refused> {
  const { signal, pressure, owner } = task
  const startsView = size.startsView && !draft.isPiece
  const covers = fold.span
  const budget = restoreBudget(context, size, notesOf(draft.changes))
  const back = draft.isPiece ? NOTHING : await restoreItems(context, { folded: covers, budget, pressure, signal })
  const epoch = startsView && !fold.epoch ? await renewed(context, task) : undefined
  const changes: Change[] = [
    ...draft.changes.map((change) => (change === fold && epoch ? { ...change, epoch } : change)),
    ...back.restored.map(({ note }) => insert(note)),
  ]
  const drafted = { task, draft, covers, size, back }
  const notes = await hookNotes(context, task, draftReceipt(context, { ...drafted, changes }), startsView)
  const all = [...changes, ...notes.map(insert)]
  const proposal = { owner, reason: draft.reason, changes: all }
  const tooLarge = checkSize(context, size, notesOf(all), task)
  const refused = tooLarge ?? checkEdit(context.conversation.projection, proposal)
  if (refused !== undefined) return { refused }
  return { task, proposal, receipt: draftReceipt(context, { ...drafted, changes: all }), startsView }
}

const NOTHING: BroughtBack = { restored: [], leftOut: [] }

function insert(note: Note): Insert {
  return { kind: 'insert', note }
}

/** Memory fails open: without new system bytes the old ones stay. */
async function renewed(context: ReliefContext, { pressure }: DraftTask) {
  try {
    return await context.renewEpoch()
  } catch (error) {
    const reason = `The system prompt could not be made anew: ${error instanceof Error ? error.message : String(error)}`
    context.emit({ type: 'relief', decision: { verdict: 'failed', reason, pressure, owner: 'core' } })
    return undefined
  }
}

/** What handlers note while they hear of the fold. A note stands on its own: the result it was meant for may be folded. */
async function hookNotes(
  context: ReliefContext,
  task: DraftTask,
  receipt: Receipt,
  startsView: boolean,
): Promise<Note[]> {
  const event = compactEvent(context, task, receipt.covers)
  const { notes } = await context.collectNotes(async () => {
    await context.hooks.collect('PostCompact', { ...event, receipt })
    if (startsView && !task.dryRun) await context.hooks.collect('SessionStart', { source: 'compact' })
  })
  return notes.flatMap(({ note: { inside: _, ...note } }) => (note.text.trim() === '' ? [] : [note]))
}

/** Why a draft is refused whatever its size, or `undefined`. */
export function checkDraft(context: ReliefContext, { changes, reason }: Draft, task: DraftTask): string | undefined {
  const { projection } = context.conversation
  for (const change of changes) {
    const problem = checkKind(projection.timeline, change, task)
    if (problem) return problem
  }
  if (
    task.trigger === 'auto' &&
    touchesPinned(projection.timeline, changes, pinnedAreas(projection.timeline, pinnedEdits(context.view())))
  ) {
    return 'It reaches what a person has brought back.'
  }
  const refused = checkEdit(projection, { owner: task.owner, reason, changes })
  if (refused !== undefined) return refused
  return task.pressure !== 'proposed' && grows(projection, changes) ? 'It frees nothing.' : undefined
}

function checkKind(timeline: Timeline, change: Change, { rung, pressure, owner }: DraftTask): string | undefined {
  if (change.kind === 'fold') {
    if (!FOLDING.has(rung)) return `A relief on the rung '${rung}' does not fold.`
    return isReadable(change.content) ? undefined : 'What stands for a span is text or media that is not empty.'
  }
  if (change.kind === 'drop' && change.note === undefined) return 'Only a person rewinds.'
  if (change.kind !== 'revert' || pressure === 'proposed') return undefined
  return isOwnErase(timeline, change, owner) ? undefined : 'A relief takes nothing back but what it has erased.'
}

/** What was erased in a cache that is gone has to go in another way. */
function isOwnErase(timeline: Timeline, { edit }: Revert, owner: string): boolean {
  const found = timeline.place(edit)?.entry
  return found?.kind === 'edit' && found.owner === owner && found.changes.every(({ kind }) => kind === 'erase')
}

function isReadable(content: readonly Block[]): boolean {
  const isSigned = content[0]?.type === 'compaction'
  return content
    .slice(isSigned ? 1 : 0)
    .every(
      ({ type, text }) =>
        type === 'image' || type === 'document' || (type === 'text' && typeof text === 'string' && text.trim() !== ''),
    )
}

/** Whether replacements and notes are larger than what they replace. Folds are measured with all that comes with them. */
function grows(projection: Projection, changes: readonly Change[]): boolean {
  let added = 0
  for (const change of changes) {
    if (change.kind === 'insert') added += estimateText(change.note.text)
    else if (change.kind === 'replace') added += size(change.content) - size(shownAt(projection, change.target))
    else return false
  }
  return added >= 0
}

function shownAt({ timeline, segments }: Projection, target: BlockRef): readonly Block[] {
  const place = timeline.place(target.entry)
  const segment = segments[segmentOf(segments, place?.round ?? -1) ?? -1]
  const replaced = segment?.replaced.get(refKey(target))
  if (replaced) return replaced.change.content
  const block = place && isMessage(place.entry) ? place.entry.content[target.block] : undefined
  return block ? [block] : []
}

function size(content: readonly Block[]): number {
  return content.reduce((sum, block) => sum + estimateBlock(block), 0)
}
