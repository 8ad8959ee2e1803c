import type { Draft } from '../contract/relief.js'
import type { Change, Receipt, RestoredItem } from '../log/edit.js'
import type { Span } from '../log/entry.js'
import { hashOf } from '../request/canonical.js'
import { readBreaker } from './breaker.js'
import { countMessages } from './count-messages.js'
import type { DraftTask } from './draft-task.js'
import { notesOf, noteTokens, sizeAfter } from './fold-room.js'
import type { FoldSize } from './fold-size.js'
import type { ReliefParts } from './relief-parts.js'
import { turnsSinceFold } from './turns-since-fold.js'
import { writePrice } from './write-price.js'

export interface DraftedFold {
  readonly task: DraftTask
  readonly draft: Draft
  readonly covers: Span
  readonly size: FoldSize
  readonly changes: readonly Change[]
  readonly restored: readonly RestoredItem[]
}

/**
 * The receipt of a fold that is not in the log yet: what is measured there is estimated here, and as long as there is
 * no edit to undo it names the content.
 */
export function draftReceipt(parts: ReliefParts, fold: DraftedFold): Receipt {
  const { task, draft, covers, size, changes, restored } = fold
  const notes = notesOf(changes)
  const after = sizeAfter(parts, size, notes)
  const written = size.content + size.behind + noteTokens(parts, notes)
  const rewrite = (written * writePrice(parts, after)) / 1_000_000
  const { folds } = readBreaker(parts.view().state('core', 'relief'))
  return {
    trigger: task.trigger,
    rung: task.rung,
    covers,
    undo: `draft-${hashOf(changes)}`,
    tokens: { before: size.before, after },
    messages: countMessages(parts.conversation.projection, covers),
    dollars: { spent: (draft.spent?.dollars ?? 0) + (task.wasted ?? 0), rewrite },
    restored,
    rules: parts.rules(changes.find((change) => change.kind === 'fold')?.epoch),
    checks: draft.checks ?? [],
    chain: { count: folds + 1, turnsSince: turnsSinceFold(parts.conversation.projection) },
    ...(task.ignored !== undefined && { ignored: task.ignored }),
  }
}
