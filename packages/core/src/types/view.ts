import type { AssistantEntry, Block, BlockRef, Json, Span, UserEntry } from './log.js'

/** What the model will see. Immutable; a new one for each accepted entry, sharing all that did not change. */
export interface View {
  readonly version: number
  readonly rounds: readonly Round[]
  /** Exact where the API has counted these very bytes, estimated for the rest; edits since the last response are taken off. */
  readonly tokens: ViewTokens
  /** `erased`: it is still sent, and the server leaves it out. */
  shows(target: BlockRef): 'whole' | 'changed' | 'erased' | 'hidden'
  /** What stands for a block now: itself, what replaces it, or nothing where it is hidden or erased. */
  shown(target: BlockRef): readonly Block[]
  /** Whether a person has brought it back by an undo: below an overflow no relief touches it, unless a person asks. */
  isPinned(target: BlockRef | Span): boolean
  /** The rounds that a span covers; none where it does not begin and end with rounds in view. */
  roundsIn(span: Span): readonly Round[]
  state(owner: string, key: string): Json | undefined
  /** The path of the log, where it is a file that a file tool can read: what a fold names where no tool reads the log. */
  readonly transcript?: string
}

export interface ViewTokens {
  readonly total: number
  readonly estimated: number
  readonly threshold: number
  readonly window: number
  /** What all token figures of all layers are multiplied with: they are meant for a full window. */
  readonly scale: number
  /** Real tokens for an estimated one, as far as responses have told. */
  readonly factor: number
}

/** The user turn before a response, the response, its results. The last one may still lack its response. */
export interface Round {
  readonly span: Span
  readonly tokens: number
  readonly entries: readonly (UserEntry | AssistantEntry)[]
  /** What stands for the span where it was folded or dropped; then it has no entries. */
  readonly content?: readonly Block[]
}
