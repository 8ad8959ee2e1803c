import type { Place, Timeline } from '../log/timeline.js'
import type { BlockRef, Edit, Id, Note } from '../types/log.js'
import {
  type PlacedNote,
  type PlacedReplace,
  type PlacedSpan,
  refKey,
  roundSegment,
  type Segment,
  spanSegment,
} from './segment.js'

/** What the view shows, in order, and the notes that wait for the next user turn. */
interface Layout {
  readonly segments: readonly Segment[]
  readonly waiting: readonly PlacedNote[]
}

interface Interval {
  readonly span: PlacedSpan
  readonly first: number
  readonly last: number
}

/** The view from scratch: every edit in force applied to the rounds of the log. */
export function layOut(timeline: Timeline, alive: ReadonlySet<Id>): Layout {
  const edits = timeline.edits.filter(({ entry }) => alive.has(entry.id))
  const drafts = draftSegments(timeline, outermost(intervals(timeline, edits)))
  const waiting: PlacedNote[] = []
  for (const place of edits) {
    for (const change of place.entry.changes) {
      if (change.kind === 'insert') placeNote(place, { note: change.note, ...by(place) }, drafts, waiting)
      if (change.kind === 'replace') placeReplace(timeline, { change, ...by(place) }, drafts)
    }
  }
  // Last, since what is erased is whatever stands there.
  for (const place of edits) {
    for (const change of place.entry.changes) {
      if (change.kind === 'erase') placeErase(timeline, place, change.target, drafts, waiting)
    }
  }
  return { segments: drafts.all, waiting }
}

const by = ({ entry }: Place<Edit>) => ({ owner: entry.owner, edit: entry.id })

/** Every span in force as a range of rounds. */
export function intervals(timeline: Timeline, edits: readonly Place<Edit>[]): Interval[] {
  return edits.flatMap((place) =>
    place.entry.changes.flatMap((change) => {
      if (change.kind !== 'fold' && change.kind !== 'drop') return []
      const first = timeline.place(change.span.from)?.round ?? 0
      const last = timeline.place(change.span.to)?.round ?? 0
      return [{ span: { change, ...by(place), ordinal: place.ordinal }, first, last }]
    }),
  )
}

/** Spans nest or lie apart; of those that nest the widest is seen, of two alike the later. */
function outermost(all: readonly Interval[]): Interval[] {
  const sorted = all.toSorted((a, b) => a.first - b.first || b.last - a.last || b.span.ordinal - a.span.ordinal)
  const kept: Interval[] = []
  for (const interval of sorted) if (interval.first > (kept.at(-1)?.last ?? -1)) kept.push(interval)
  return kept
}

interface Drafts {
  readonly all: Segment[]
  /** The segment that shows a round. */
  readonly ofRound: number[]
}

function draftSegments(timeline: Timeline, spans: readonly Interval[]): Drafts {
  const all: Segment[] = []
  const ofRound: number[] = []
  let next = 0
  for (const round of timeline.rounds) {
    const span = spans[next]
    if (span && round.number > span.last) next += 1
    const current = spans[next]
    if (!current || round.number < current.first) all.push(roundSegment(round))
    else if (round.number === current.first) all.push(spanSegment(current.span, current.first, current.last))
    ofRound.push(all.length - 1)
  }
  return { all, ofRound }
}

function placeNote(place: Place<Edit>, note: PlacedNote, drafts: Drafts, waiting: PlacedNote[]): void {
  const index = drafts.ofRound[place.round]
  if (index === undefined) {
    waiting.push(note)
    return
  }
  const segment = drafts.all[index] as Segment
  // What a fold covers was there before it; its own notes, and later ones, stand behind it.
  if (!note.deletes && segment.span && segment.span.ordinal > place.ordinal) return
  drafts.all[index] = withNote(segment, note, place.isAfterResponse || segment.span !== undefined)
}

export function withNote(segment: Segment, note: PlacedNote, isAfterResponse: boolean): Segment {
  return isAfterResponse
    ? { ...segment, after: [...segment.after, note] }
    : { ...segment, before: [...segment.before, note] }
}

function placeReplace(timeline: Timeline, replace: PlacedReplace, drafts: Drafts): void {
  const round = timeline.place(replace.change.target.entry)?.round
  const index = round === undefined ? undefined : drafts.ofRound[round]
  const segment = index === undefined ? undefined : drafts.all[index]
  if (index === undefined || !segment || segment.span) return
  drafts.all[index] = withReplace(segment, replace)
}

/** What a deletion has to say is in its block. */
const NO_WORDS: Note = { text: '', trust: 'runtime' }

/** A block is erased where it stands; a result is deleted in the user turn in which that was decided. */
function placeErase(
  timeline: Timeline,
  place: Place<Edit>,
  target: BlockRef,
  drafts: Drafts,
  waiting: PlacedNote[],
): void {
  const index = drafts.ofRound[timeline.place(target.entry)?.round ?? -1] ?? -1
  const segment = drafts.all[index]
  const block = segment?.round?.entries.find(({ id }) => id === target.entry)?.content[target.block]
  const key = refKey(target)
  if (!segment || !block || segment.erased.has(key)) return
  drafts.all[index] = { ...segment, erased: new Set(segment.erased).add(key) }
  const deletes = segment.replaced.get(key)?.change.content[0] ?? block
  if (block.type === 'tool_result') placeNote(place, { note: NO_WORDS, deletes, ...by(place) }, drafts, waiting)
}

export function withReplace(segment: Segment, replace: PlacedReplace): Segment {
  return { ...segment, replaced: new Map(segment.replaced).set(refKey(replace.change.target), replace) }
}
