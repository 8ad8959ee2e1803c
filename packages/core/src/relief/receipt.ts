import { hashOf } from '../hash.js'
import { isComplete } from '../log/timeline.js'
import { estimateBlock, estimateEpoch, estimateText } from '../tokens/estimate.js'
import type { Change, Fold, Note, Receipt, ReceiptMessages, Span } from '../types/log.js'
import type { Draft, Part } from '../types/relief.js'
import type { Round, View } from '../types/view.js'
import type { Projection } from '../view/projection.js'
import { readBreaker } from './breaker.js'
import { type DraftTask, type ReliefContext, writePrice } from './context.js'
import type { BroughtBack } from './restore.js'

interface DraftedFold {
  readonly task: DraftTask
  readonly draft: Draft
  readonly covers: Span
  readonly size: FoldSize
  readonly changes: readonly Change[]
  readonly back: BroughtBack
}

/**
 * The receipt of a fold that is not in the log yet: what is measured there is estimated here, and as long as there is
 * no edit to undo it names the content.
 */
export function draftReceipt(context: ReliefContext, fold: DraftedFold): Receipt {
  const { task, draft, covers, size, changes, back } = fold
  const notes = notesOf(changes)
  const after = sizeAfter(context, size, notes)
  const written = size.content + size.behind + noteTokens(context, notes)
  const rewrite = (written * writePrice(context, after)) / 1_000_000
  const { folds } = readBreaker(context.view().state('core', 'relief'))
  return {
    trigger: task.trigger,
    rung: task.rung,
    covers,
    undo: `draft-${hashOf(changes)}`,
    tokens: { before: size.before, after },
    messages: countMessages(context.conversation.projection, covers),
    dollars: { spent: (draft.spent?.dollars ?? 0) + (task.wasted ?? 0), rewrite },
    restored: back.restored.map(({ item }) => item),
    ...(back.leftOut.length > 0 && { leftOut: back.leftOut }),
    rules: context.rules(changes.find((change) => change.kind === 'fold')?.epoch),
    checks: draft.checks ?? [],
    chain: { count: folds + 1, ...sinceFold(context.conversation.projection) },
    asked: { by: task.by, source: context.source },
    threshold: context.view().tokens.threshold,
    ...(draft.followed && draft.followed.length > 0 && { followed: draft.followed }),
    ...(task.ignored !== undefined && { ignored: task.ignored }),
  }
}

/** What a fold does to the size of the view, in tokens; `undefined` when its span is not one of the view. */
export interface FoldSize {
  readonly before: number
  /** What it covers, and what stands for it. */
  readonly covered: number
  readonly content: number
  /** What follows it and stays. */
  readonly behind: number
  readonly startsView: boolean
  /** Whether the last complete round falls into it, and how large that is. */
  readonly lastRound: number | undefined
}

export function foldSize(
  view: View,
  projection: Projection,
  fold: Fold,
  tokens: (estimate: number) => number,
): FoldSize | undefined {
  const first = view.rounds.findIndex(({ span }) => span.from === fold.span.from)
  const last = view.rounds.findIndex(({ span }) => span.to === fold.span.to)
  if (first === -1 || last < first) return undefined
  const sum = (from: number, to?: number) => view.rounds.slice(from, to).reduce((all, round) => all + round.tokens, 0)
  const end = projection.timeline.rounds.findLast(isComplete)?.entries.at(-1)?.id
  const lastRound = view.rounds.slice(first, last + 1).find(({ span, entries }) => span.to === end && entries.length)
  return {
    before: view.tokens.total,
    covered: sum(first, last + 1),
    content: tokens(fold.content.reduce((all, block) => all + estimateBlock(block), 0)),
    behind: sum(last + 1),
    startsView: first === 0,
    lastRound: lastRound?.tokens,
  }
}

/** What a fold may cover: all complete rounds, or the part that a person asked for; see `Need`. */
export function foldable(
  { view, conversation }: ReliefContext,
  { trigger, part }: { readonly trigger: Receipt['trigger']; readonly part?: Part },
): Span | undefined {
  const { rounds, tokens } = view()
  const { timeline } = conversation.projection
  const isWhole = ({ span, content }: Round) => {
    const round = timeline.rounds[timeline.place(span.to)?.round ?? -1]
    return content !== undefined || (round !== undefined && isComplete(round))
  }
  const wanted = part ? partOf(rounds, part) : rounds
  const complete = wanted.filter(isWhole)
  const last = complete.at(-1)
  const stays = trigger !== 'manual' && last !== undefined && last.tokens < tokens.threshold * LAST_ROUND_SHARE
  const [first, end] = [complete[0], complete.at(stays ? -2 : -1)]
  return first && end && { from: first.span.from, to: end.span.to }
}

/** A part whose entry is nowhere in view holds nothing. */
function partOf(rounds: readonly Round[], part: Part): readonly Round[] {
  const entry = 'from' in part ? part.from : part.upTo
  const at = rounds.findIndex(({ span, entries }) => span.from === entry || entries.some(({ id }) => id === entry))
  if (at === -1) return []
  return 'from' in part ? rounds.slice(at) : rounds.slice(0, at)
}

/** What all restorers together may bring back, as a part of the threshold. */
const RESTORED_SHARE = 0.45
/** A last round below this part of the threshold stays as it is, unless a person asks. */
const LAST_ROUND_SHARE = 0.25

/** The notes that changes bring. */
export function notesOf(changes: readonly Change[]): Note[] {
  return changes.flatMap((change) => (change.kind === 'insert' ? [change.note] : []))
}

/** Tokens of notes. */
function noteTokens(context: ReliefContext, notes: readonly Note[]): number {
  return context.tokens(notes.reduce((sum, { text }) => sum + estimateText(text), 0))
}

/** The view with the fold and its notes, as its price will have it. */
function sizeAfter(context: ReliefContext, size: FoldSize, notes: readonly Note[]): number {
  if (!size.startsView) return size.before - size.covered + size.content + noteTokens(context, notes)
  const epoch = context.tokens(estimateEpoch(context.conversation.epoch()))
  const all = epoch + context.view().rounds.reduce((sum, { tokens }) => sum + tokens, 0)
  const left = all - size.covered + size.content + noteTokens(context, notes)
  return Math.round(size.before * (left / Math.max(1, all)))
}

/** Why a fold of that size is refused, or `undefined`. */
export function checkSize(
  context: ReliefContext,
  size: FoldSize,
  notes: readonly Note[],
  task: DraftTask,
): string | undefined {
  const { threshold } = context.view().tokens
  const stands = size.content + noteTokens(context, notes)
  if (stands >= size.covered) return `It is not smaller: ${stands} tokens for the ${size.covered} that it covers.`
  const after = sizeAfter(context, size, notes)
  if (after > threshold) return `The view would still be above the threshold: ${after} of ${threshold} tokens.`
  const isSmall = size.lastRound !== undefined && size.lastRound < threshold * LAST_ROUND_SHARE
  return task.trigger === 'auto' && isSmall ? 'It covers the last round, which stays as it is.' : undefined
}

/** No more than there is room for: what comes back must never be the reason to refuse a fold. */
export function restoreBudget(context: ReliefContext, size: FoldSize, own: readonly Note[]): number {
  const { compact } = context.thresholds()
  const room = context.view().tokens.threshold - sizeAfter(context, size, own)
  const gain = size.covered - size.content - noteTokens(context, own) - 1
  return Math.floor(Math.min(compact.tokens * RESTORED_SHARE, room, gain))
}

/** What a fold of that span would do to the messages of the log, as long as it is not in it. */
function countMessages({ timeline, segments }: Projection, { from, to }: Span): ReceiptMessages {
  const first = timeline.place(from)?.round ?? 0
  const last = timeline.place(to)?.round ?? -1
  const counts = { folded: 0, kept: 0, dropped: 0 }
  for (const segment of segments) {
    const rounds = timeline.rounds.slice(segment.first, segment.last + 1)
    const messages = rounds.reduce((sum, { entries }) => sum + entries.length, 0)
    const isCovered = segment.first >= first && segment.last <= last
    if (isCovered) counts[segment.span?.change.kind === 'drop' ? 'dropped' : 'folded'] += messages
    else if (!segment.span) counts.kept += messages
  }
  return counts
}

/** The last fold in force, and the responses since then or since the beginning. */
function sinceFold({ timeline, alive }: Projection): Pick<Receipt['chain'], 'turnsSince' | 'before'> {
  const isFold = ({ entry }: (typeof timeline.edits)[number]) =>
    alive().has(entry.id) && entry.changes.some(({ kind }) => kind === 'fold')
  const last = timeline.edits.findLast(isFold)
  const start = last?.ordinal ?? -1
  let turns = 0
  for (let index = timeline.rounds.length - 1; index >= 0; index--) {
    const responses = timeline.rounds[index]?.entries.filter(({ kind }) => kind === 'assistant') ?? []
    const since = responses.filter(({ id }) => (timeline.place(id)?.ordinal ?? 0) > start)
    turns += since.length
    if (since.length < responses.length) break
  }
  return { turnsSince: turns, ...(last && { before: last.entry.id }) }
}
