import { type Edit, estimateText, type ModelInfo, type NoticeEntry } from '@nacre/core'
import { OWNER } from './covering/coverage.js'

/** What a fold by notes cost and would have cost. */
export interface NotesBill {
  /** Dollars of the updates since the fold before. */
  readonly spent: number
  readonly model: ModelInfo
  readonly growth: number
}

const MILLION = 1_000_000

/**
 * What people are told when the notes for a fold have cost more than a summary would have: that request reads all of
 * the view and writes about as many words. `undefined` when they paid.
 */
export function priceNotice({ receipt, changes }: Edit, { spent, model, growth }: NotesBill): NoticeEntry | undefined {
  const fold = changes.find((change) => change.kind === 'fold')
  if (!receipt || !fold) return undefined
  const { before } = receipt.tokens
  const { read, output } = model.price(before)
  const written = estimateText(String(fold.content[1]?.text ?? ''))
  const summary = (before * read + written * output) / MILLION
  if (spent <= summary) return undefined
  const text = `On ${model.id} notes save time, not money: those for this compaction have cost $${spent.toFixed(3)}, a summary would have cost about $${summary.toFixed(3)} and a wait. A growth above ${growth} makes notes cheaper and their coverage older.`
  return { kind: 'notice', id: '', time: 0, owner: OWNER, level: 'info', text }
}
