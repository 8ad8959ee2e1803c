import {
  createTimeline,
  inForce,
  isMessage,
  isRewind,
  type LogRound,
  type Place,
  type Timeline,
} from '../log/timeline.js'
import type { Change, Drop, Edit, Entry, Fold, Id, Insert, Json, Replace, StateEntry } from '../types/log.js'
import { layOut, withNote, withReplace } from './layout.js'
import { type PlacedNote, roundSegment, type Segment, segmentOf, spanSegment } from './segment.js'

/** The view, kept up to date entry by entry. Equal to `layOut` of the whole log at any time. */
export interface Projection {
  readonly timeline: Timeline
  readonly segments: readonly Segment[]
  readonly waiting: readonly PlacedNote[]
  /** Whether anything was ever erased. */
  readonly hasErased: boolean
  alive(): ReadonlySet<Id>
  /** Returns the first segment that is not what it was. */
  append(entry: Entry): number
}

export function createProjection(): Projection {
  const timeline = createTimeline()
  const shown: Shown = { segments: [], waiting: [] }
  let alive = new Set<Id>()
  let hasErased = false

  const rebuild = (): number => {
    const before = shown.segments
    alive = inForce(timeline.edits.map(({ entry }) => entry))
    const layout = layOut(timeline, alive)
    shown.segments = [...layout.segments]
    shown.waiting = layout.waiting
    return firstChanged(before, shown.segments)
  }
  const addEdit = (place: Place<Edit>): number => {
    const { changes, id } = place.entry
    hasErased ||= changes.some(({ kind }) => kind === 'erase')
    // What is erased depends on all that stands around it.
    if (changes.some(({ kind }) => kind === 'revert' || (hasErased && kind !== 'insert'))) return rebuild()
    alive.add(id)
    // Spans first: what an edit notes beside its fold stands behind the fold, in whatever order they are listed.
    const ordered = [...changes.filter(isSpan), ...changes.filter((change) => !isSpan(change))]
    const starts = ordered.map((change) => applyChange(shown, timeline, place, change))
    return Math.min(...starts, shown.segments.length)
  }

  return {
    timeline,
    get segments() {
      return shown.segments
    },
    get waiting() {
      return shown.waiting
    },
    get hasErased() {
      return hasErased
    },
    alive: () => alive,
    append(entry) {
      const place = timeline.append(entry)
      if (isMessage(entry)) return addMessage(shown, timeline.rounds[place.round] as LogRound)
      return entry.kind === 'edit' ? addEdit(place as Place<Edit>) : shown.segments.length
    },
  }
}

function addMessage(shown: Shown, round: LogRound): number {
  const { segments } = shown
  const last = segments.at(-1)
  // A new object for each change: whoever holds the old one can tell.
  if (last?.last === round.number) segments[segments.length - 1] = { ...last }
  else {
    segments.push({ ...roundSegment(round), before: shown.waiting })
    shown.waiting = []
  }
  return segments.length - 1
}

function isSpan({ kind }: Change): boolean {
  return kind === 'fold' || kind === 'drop'
}

function firstChanged(before: readonly Segment[], after: readonly Segment[]): number {
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
    [...a.replaced].every(([key, { change }]) => b.replaced.get(key)?.change === change) &&
    a.erased.size === b.erased.size &&
    [...a.erased].every((key) => b.erased.has(key))
  )
}

function sameNotes(a: readonly PlacedNote[], b: readonly PlacedNote[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ note, deletes }, index) => b[index]?.note === note && b[index].deletes === deletes)
  )
}

/** The view as it is being kept up to date. */
interface Shown {
  segments: Segment[]
  /** Notes for a user turn that has not begun. */
  waiting: readonly PlacedNote[]
}

/** Applies one change of a new edit; says from which segment on the view is another one. */
function applyChange(shown: Shown, timeline: Timeline, place: Place<Edit>, change: Change): number {
  switch (change.kind) {
    case 'insert':
      return insert(shown, place, change)
    case 'replace':
      return replace(shown, timeline, place, change)
    case 'fold':
    case 'drop':
      return cover(shown, timeline, place, change)
    case 'renew':
      return 0
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

/** The part of the log that a rewind in force has taken back: from one ordinal up to, and without, another. */
export interface Rewound {
  readonly from: number
  readonly end: number
}

/** All that has been taken back, also where a fold has covered it since. */
export function rewindsOf({ timeline, alive }: Projection): readonly Rewound[] {
  const inForce = alive()
  return timeline.rewinds.flatMap((place) => {
    const drop = place.entry.changes.find(isRewind)
    if (!drop || !inForce.has(place.entry.id)) return []
    return [{ from: timeline.place(drop.span.from)?.ordinal ?? 0, end: place.ordinal }]
  })
}

export function isRewound(rewinds: readonly Rewound[], { ordinal }: Pick<Place, 'ordinal'>): boolean {
  return rewinds.some(({ from, end }) => from <= ordinal && ordinal < end)
}

/** The facts that hold now, each by its last value in view. */
export function statesInView(projection: Projection): { owner: string; key: string; value: Json }[] {
  const { timeline } = projection
  const rewinds = rewindsOf(projection)
  const last = new Map<string, Place<StateEntry>>()
  for (const place of timeline.states) {
    const { owner, key } = place.entry
    if (!isRewound(rewinds, place)) last.set(`${owner}/${key}`, place)
  }
  return [...last.values()].map(({ entry: { owner, key, value } }) => ({ owner, key, value }))
}
