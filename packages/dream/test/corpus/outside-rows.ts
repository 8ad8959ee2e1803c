import type { CorpusKind, CorpusMessage, CorpusType } from './types.js'

/** A bait with its label. */
export type OutsideBait = readonly [
  kind: CorpusKind,
  label: string,
  messages: readonly CorpusMessage[],
  type: CorpusType,
  statement: string,
  quote: string,
]

/** A fact with its label. */
export type OutsideFact = readonly [
  label: string,
  messages: readonly CorpusMessage[],
  type: CorpusType,
  statement: string,
  quote: string,
]
