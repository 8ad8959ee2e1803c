import type { Draft } from '../contract/relief.js'
import type { Change, Fold, Insert, Note, Receipt } from '../log/edit.js'
import { hashOf } from '../request/canonical.js'
import { estimateText } from '../tokens/estimate-text.js'
import { checkEdit, type Proposal } from '../view/check-edit.js'
import { readBreaker } from './breaker.js'
import { checkDraft } from './check-draft.js'
import { compactEvent } from './compact-event.js'
import type { DraftTask } from './draft-task.js'
import { type FoldSize, foldSize } from './fold-size.js'
import type { ReliefParts } from './relief-parts.js'
import { type RestoredNote, restoreItems } from './restore-items.js'
import { turnsSinceFold } from './turns-since-fold.js'

/** A draft that passed every check, with all that core adds to it. `receipt` only for a fold, before its price is known. */
export interface PreparedDraft {
  readonly task: DraftTask
  readonly proposal: Proposal
  readonly receipt?: Receipt
  readonly startsView: boolean
}

type Refused = { readonly refused: string }

const RESTORED = 50_000
const RESTORED_SHARE = 0.3
const LAST_ROUND_SHARE = 0.25

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
  const own = notesOf(changes)
  const tooLarge = checkSize(parts, size, own, task)
  if (tooLarge !== undefined) return { refused: tooLarge }
  return completeFold(parts, draft, { task, fold, size, own })
}

interface MeasuredFold {
  readonly task: DraftTask
  readonly fold: Fold
  readonly size: FoldSize
  /** Notes that came with the draft. */
  readonly own: readonly Note[]
}

async function completeFold(
  parts: ReliefParts,
  draft: Draft,
  { task, fold, size, own }: MeasuredFold,
): Promise<PreparedDraft | Refused> {
  const { signal, pressure } = task
  const budget = restoreBudget(parts, size, own)
  const restored = await restoreItems(parts, { folded: fold.span, budget, pressure, signal })
  const epoch = size.startsView && !fold.epoch ? await renewed(parts, task) : undefined
  const changes: Change[] = [
    ...draft.changes.map((change) => (change === fold && epoch ? { ...change, epoch } : change)),
    ...restored.map(({ note }) => insert(note)),
  ]
  const brought = [...own, ...restored.map(({ note }) => note)]
  const receipt = draftReceipt(parts, draft, { task, fold, size, own: brought }, restored)
  const notes = await hookNotes(parts, task, receipt, size.startsView)
  const all = [...brought, ...notes]
  const proposal = { owner: task.owner, reason: draft.reason, changes: [...changes, ...notes.map(insert)] }
  const refused = checkSize(parts, size, all, task) ?? checkEdit(parts.conversation.projection, proposal)
  if (refused !== undefined) return { refused }
  const after = sizeAfter(parts, size, all)
  const dollars = dollarsOf(parts, draft, size, all)
  const tokens = { before: size.before, after }
  // Until it is in the log its content is its name.
  const shown = { ...receipt, undo: `draft-${hashOf(proposal.changes)}`, tokens, dollars }
  return { task, proposal, receipt: shown, startsView: size.startsView }
}

function insert(note: Note): Insert {
  return { kind: 'insert', note }
}

function notesOf(changes: readonly Change[]): Note[] {
  return changes.flatMap((change) => (change.kind === 'insert' ? [change.note] : []))
}

function noteTokens(parts: ReliefParts, notes: readonly Note[]): number {
  return parts.tokens(notes.reduce((sum, { text }) => sum + estimateText(text), 0))
}

function sizeAfter(parts: ReliefParts, { before, covered, content }: FoldSize, notes: readonly Note[]): number {
  return Math.max(0, before - covered + content + noteTokens(parts, notes))
}

function checkSize(parts: ReliefParts, size: FoldSize, notes: readonly Note[], task: DraftTask): string | undefined {
  const { threshold } = parts.view().tokens
  const stands = size.content + noteTokens(parts, notes)
  if (stands >= size.covered) return `It is not smaller: ${stands} tokens for the ${size.covered} that it covers.`
  const after = sizeAfter(parts, size, notes)
  if (after > threshold) return `The view would still be above the threshold: ${after} of ${threshold} tokens.`
  const isSmall = size.lastRound !== undefined && size.lastRound < threshold * LAST_ROUND_SHARE
  return task.trigger === 'auto' && isSmall ? 'It covers the last round, which stays as it is.' : undefined
}

/** No more than there is room for: what comes back must never be the reason to refuse a fold. */
function restoreBudget(parts: ReliefParts, size: FoldSize, own: readonly Note[]): number {
  const { scale, compact } = parts.thresholds()
  const room = parts.view().tokens.threshold - sizeAfter(parts, size, own)
  const gain = size.covered - size.content - noteTokens(parts, own) - 1
  return Math.floor(Math.min(RESTORED * scale, compact.tokens * RESTORED_SHARE, room, gain))
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

function dollarsOf(parts: ReliefParts, draft: Draft, size: FoldSize, notes: readonly Note[]): Receipt['dollars'] {
  const written = size.content + size.behind + noteTokens(parts, notes)
  const { write5m } = parts.model().price(sizeAfter(parts, size, notes))
  return { spent: draft.spent?.dollars ?? 0, rewrite: (written * write5m) / 1_000_000 }
}

function draftReceipt(
  parts: ReliefParts,
  draft: Draft,
  { task, fold, size, own }: MeasuredFold,
  restored: readonly RestoredNote[],
): Receipt {
  const { folds } = readBreaker(parts.view().state('core', 'relief'))
  return {
    trigger: task.trigger,
    rung: task.rung,
    covers: fold.span,
    undo: '',
    tokens: { before: size.before, after: sizeAfter(parts, size, own) },
    dollars: dollarsOf(parts, draft, size, own),
    restored: restored.map(({ item }) => item),
    rules: [],
    checks: draft.checks ?? [],
    chain: { count: folds + 1, turnsSince: turnsSinceFold(parts.conversation.projection) },
    ...(task.ignored !== undefined && { ignored: task.ignored }),
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
