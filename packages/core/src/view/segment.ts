import type { LogRound } from '../log/timeline.js'
import type { Block, BlockRef, Drop, Fold, Id, Note, Replace } from '../types/log.js'

/** A note in its place, with who gave it. */
export interface PlacedNote {
  readonly note: Note
  readonly owner: string
  readonly edit: Id
  /** A result that is deleted here, as it is shown, in place of words. */
  readonly deletes?: Block
}

/** A replacement in force, with who made it. */
export interface PlacedReplace {
  readonly change: Replace
  readonly owner: string
  readonly edit: Id
}

/** A piece of the view: a round as it was logged, or what stands for a span of rounds. */
export interface Segment {
  readonly first: number
  readonly last: number
  readonly round: LogRound | undefined
  readonly span: PlacedSpan | undefined
  readonly replaced: ReadonlyMap<string, PlacedReplace>
  /** Blocks that the server is to leave out. */
  readonly erased: ReadonlySet<string>
  /** Notes of the user turn before the response, and of the one that holds its results. */
  readonly before: readonly PlacedNote[]
  readonly after: readonly PlacedNote[]
}

export interface PlacedSpan {
  readonly change: Fold | Drop
  readonly owner: string
  readonly edit: Id
  readonly ordinal: number
}

export function refKey({ entry, block }: BlockRef): string {
  return `${entry}/${block}`
}

const NONE = { replaced: new Map(), erased: new Set<string>(), before: [], after: [] }

export function roundSegment(round: LogRound): Segment {
  return { ...NONE, first: round.number, last: round.number, round, span: undefined }
}

export function spanSegment(span: PlacedSpan, first: number, last: number): Segment {
  return { ...NONE, first, last, round: undefined, span }
}

/** Segments are in the order of their rounds, so a round is found by halving. */
export function segmentOf(segments: readonly Segment[], round: number): number | undefined {
  let low = 0
  let high = segments.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const segment = segments[middle] as Segment
    if (round < segment.first) high = middle - 1
    else if (round > segment.last) low = middle + 1
    else return middle
  }
  return undefined
}
