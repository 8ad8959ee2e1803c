import type { ViewTokens } from '@nacre/core'

/** The sizes at which collapse does something, in tokens. */
export interface CollapseMarks {
  /** From here on finished spans are summarised, so that the summaries are there in time. */
  readonly summarise: number
  /** From here on spans are folded. */
  readonly fold: number
  /** Folding goes on down to here: folds that follow one another at once break the cache once. */
  readonly downTo: number
  /** Where new spans do not bring the view down to here, those that were folded before are joined with them. */
  readonly enough: number
  /** What all token figures are multiplied with. */
  readonly scale: number
}

const FULL_WINDOW = 200_000
const OUTPUT = 20_000
const COMPACT_BELOW = 13_000
const SUMMARISE = 0.5
const FOLD = 0.9
const DOWN_TO = 0.7
const ENOUGH = 0.8

/** The marks of a view, by the part of the window that a prompt may fill. */
export function collapseMarks({ window, threshold }: ViewTokens): CollapseMarks {
  const scale = Math.min(1, window / FULL_WINDOW)
  // A model with little output leaves more room, and a threshold that was lowered says nothing about it.
  const effective = Math.max(window - OUTPUT * scale, threshold + COMPACT_BELOW * scale)
  const fold = Math.min(effective * FOLD, threshold)
  return {
    summarise: fold * (SUMMARISE / FOLD),
    fold,
    downTo: fold * (DOWN_TO / FOLD),
    enough: fold * (ENOUGH / FOLD),
    scale,
  }
}
