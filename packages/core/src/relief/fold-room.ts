import type { Change, Note } from '../log/edit.js'
import { estimateEpoch } from '../tokens/estimate-epoch.js'
import { estimateText } from '../tokens/estimate-text.js'
import type { DraftTask } from './draft-task.js'
import type { FoldSize } from './fold-size.js'
import type { ReliefParts } from './relief-parts.js'

const RESTORED = 50_000
const RESTORED_SHARE = 0.3
const LAST_ROUND_SHARE = 0.25

/** The notes that changes bring. */
export function notesOf(changes: readonly Change[]): Note[] {
  return changes.flatMap((change) => (change.kind === 'insert' ? [change.note] : []))
}

/** Tokens of notes. */
export function noteTokens(parts: ReliefParts, notes: readonly Note[]): number {
  return parts.tokens(notes.reduce((sum, { text }) => sum + estimateText(text), 0))
}

/** The view with the fold and its notes: the part of what was counted before that is left by estimate. */
export function sizeAfter(parts: ReliefParts, size: FoldSize, notes: readonly Note[]): number {
  const epoch = parts.tokens(estimateEpoch(parts.conversation.epoch()))
  const all = epoch + parts.view().rounds.reduce((sum, { tokens }) => sum + tokens, 0)
  const left = all - size.covered + size.content + noteTokens(parts, notes)
  return Math.round(size.before * (left / Math.max(1, all)))
}

/** Why a fold of that size is refused, or `undefined`. */
export function checkSize(
  parts: ReliefParts,
  size: FoldSize,
  notes: readonly Note[],
  task: DraftTask,
): string | undefined {
  const { threshold } = parts.view().tokens
  const stands = size.content + noteTokens(parts, notes)
  if (stands >= size.covered) return `It is not smaller: ${stands} tokens for the ${size.covered} that it covers.`
  const after = sizeAfter(parts, size, notes)
  if (after > threshold) return `The view would still be above the threshold: ${after} of ${threshold} tokens.`
  const isSmall = size.lastRound !== undefined && size.lastRound < threshold * LAST_ROUND_SHARE
  return task.trigger === 'auto' && isSmall ? 'It covers the last round, which stays as it is.' : undefined
}

/** No more than there is room for: what comes back must never be the reason to refuse a fold. */
export function restoreBudget(parts: ReliefParts, size: FoldSize, own: readonly Note[]): number {
  const { scale, compact } = parts.thresholds()
  const room = parts.view().tokens.threshold - sizeAfter(parts, size, own)
  const gain = size.covered - size.content - noteTokens(parts, own) - 1
  return Math.floor(Math.min(RESTORED * scale, compact.tokens * RESTORED_SHARE, room, gain))
}
