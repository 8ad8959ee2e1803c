import type { Change, Edit } from '../log/edit.js'
import type { Entry, Id } from '../log/entry.js'
import { inForce } from '../log/in-force.js'
import { createTimeline, isMessage, type Place, type Timeline } from '../log/timeline.js'
import { type Layout, layOut, withNote, withReplace } from './layout.js'
import { type PlacedNote, roundSegment, type Segment, spanSegment } from './segment.js'

/** The view, kept up to date entry by entry. Equal to `layOut` of the whole log at any time. */
export interface Projection {
  readonly timeline: Timeline
  readonly segments: readonly Segment[]
  readonly waiting: readonly PlacedNote[]
  alive(): ReadonlySet<Id>
  /** Returns the first segment that is not what it was. */
  append(entry: Entry): number
}

export function createProjection(): Projection {
  const timeline = createTimeline()
  let segments: Segment[] = []
  let waiting: readonly PlacedNote[] = []
  let alive = new Set<Id>()

  const rebuild = (): number => {
    const before = segments
    alive = inForce(timeline.edits.map(({ entry }) => entry))
    const layout: Layout = layOut(timeline, alive)
    segments = [...layout.segments]
    waiting = layout.waiting
    return firstDifference(before, segments)
  }

  const touch = (index: number, segment: Segment): number => {
    segments[index] = segment
    return index
  }

  const addMessage = (round: number): number => {
    const last = segments.at(-1)
    const index = segments.length - 1
    // A new object for each change: whoever holds the old one can tell.
    if (last?.last === round) return touch(index, { ...last })
    const own = roundSegment(timeline.rounds[round] as Segment['round'] & object)
    segments.push({ ...own, before: waiting })
    waiting = []
    return segments.length - 1
  }

  const addEdit = (place: Place<Edit>): number => {
    const { entry } = place
    if (entry.changes.some((change) => change.kind === 'revert')) return rebuild()
    alive.add(entry.id)
    // Spans first: what an edit notes beside its fold stands behind the fold, in whatever order they are listed.
    const ordered = [...entry.changes.filter(isSpan), ...entry.changes.filter((change) => !isSpan(change))]
    return Math.min(...ordered.map((change) => applyChange(place, change)), segments.length)
  }

  const applyChange = (place: Place<Edit>, change: Change): number => {
    const by = { owner: place.entry.owner, edit: place.entry.id }
    switch (change.kind) {
      case 'insert': {
        const note = { note: change.note, ...by }
        const index = segmentOf(segments, place.round)
        if (index === undefined) {
          waiting = [...waiting, note]
          return segments.length
        }
        const segment = segments[index] as Segment
        return touch(index, withNote(segment, note, place.isAfterResponse || segment.span !== undefined))
      }
      case 'replace': {
        const index = segmentOf(segments, timeline.place(change.target.entry)?.round ?? -1)
        const segment = index === undefined ? undefined : segments[index]
        if (index === undefined || !segment || segment.span) return segments.length
        return touch(index, withReplace(segment, { change, ...by }))
      }
      case 'fold':
      case 'drop': {
        const first = timeline.place(change.span.from)?.round ?? 0
        const last = timeline.place(change.span.to)?.round ?? 0
        const start = segmentOf(segments, first) ?? 0
        const end = segmentOf(segments, last) ?? start
        segments.splice(start, end - start + 1, spanSegment({ change, ...by, ordinal: place.ordinal }, first, last))
        return start
      }
    }
    return segments.length
  }

  return {
    timeline,
    get segments() {
      return segments
    },
    get waiting() {
      return waiting
    },
    alive: () => alive,
    append(entry) {
      const place = timeline.append(entry)
      if (isMessage(entry)) return addMessage(place.round)
      return entry.kind === 'edit' ? addEdit(place as Place<Edit>) : segments.length
    },
  }
}

function isSpan({ kind }: Change): boolean {
  return kind === 'fold' || kind === 'drop'
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

function firstDifference(before: readonly Segment[], after: readonly Segment[]): number {
  const end = Math.min(before.length, after.length)
  for (let index = 0; index < end; index++) {
    if (!isSame(before[index] as Segment, after[index] as Segment)) return index
  }
  return end
}

function isSame(a: Segment, b: Segment): boolean {
  return (
    a.first === b.first &&
    a.last === b.last &&
    a.span?.edit === b.span?.edit &&
    a.span?.change === b.span?.change &&
    sameNotes(a.before, b.before) &&
    sameNotes(a.after, b.after) &&
    a.replaced.size === b.replaced.size &&
    [...a.replaced].every(([key, { change }]) => b.replaced.get(key)?.change === change)
  )
}

function sameNotes(a: readonly PlacedNote[], b: readonly PlacedNote[]): boolean {
  return a.length === b.length && a.every(({ note }, index) => b[index]?.note === note)
}
