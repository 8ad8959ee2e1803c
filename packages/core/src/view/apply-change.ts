import type { Change, Drop, Edit, Fold, Insert, Replace } from '../log/edit.js'
import type { Place, Timeline } from '../log/timeline.js'
import { withNote, withReplace } from './layout.js'
import { type PlacedNote, type Segment, segmentOf, spanSegment } from './segment.js'

/** The view as it is being kept up to date. */
export interface Shown {
  segments: Segment[]
  /** Notes for a user turn that has not begun. */
  waiting: readonly PlacedNote[]
}

/** Applies one change of a new edit; says from which segment on the view is another one. */
export function applyChange(shown: Shown, timeline: Timeline, place: Place<Edit>, change: Change): number {
  switch (change.kind) {
    case 'insert':
      return insert(shown, place, change)
    case 'replace':
      return replace(shown, timeline, place, change)
    case 'fold':
    case 'drop':
      return cover(shown, timeline, place, change)
    case 'erase':
    case 'revert':
      // The whole is laid out anew for these.
      return shown.segments.length
  }
}

const by = ({ entry }: Place<Edit>) => ({ owner: entry.owner, edit: entry.id })

function insert(shown: Shown, place: Place<Edit>, { note }: Insert): number {
  const placed = { note, ...by(place) }
  const index = segmentOf(shown.segments, place.round)
  if (index === undefined) {
    shown.waiting = [...shown.waiting, placed]
    return shown.segments.length
  }
  const segment = shown.segments[index] as Segment
  shown.segments[index] = withNote(segment, placed, place.isAfterResponse || segment.span !== undefined)
  return index
}

function replace(shown: Shown, timeline: Timeline, place: Place<Edit>, change: Replace): number {
  const index = segmentOf(shown.segments, timeline.place(change.target.entry)?.round ?? -1)
  const segment = index === undefined ? undefined : shown.segments[index]
  if (index === undefined || !segment || segment.span) return shown.segments.length
  shown.segments[index] = withReplace(segment, { change, ...by(place) })
  return index
}

function cover(shown: Shown, timeline: Timeline, place: Place<Edit>, change: Fold | Drop): number {
  const first = timeline.place(change.span.from)?.round ?? 0
  const last = timeline.place(change.span.to)?.round ?? 0
  const start = segmentOf(shown.segments, first) ?? 0
  const end = segmentOf(shown.segments, last) ?? start
  const segment = spanSegment({ change, ...by(place), ordinal: place.ordinal }, first, last)
  shown.segments.splice(start, end - start + 1, segment)
  return start
}
