import type { Change, Edit } from '../log/edit.js'
import type { Entry, Id } from '../log/entry.js'
import { inForce } from '../log/in-force.js'
import type { LogRound } from '../log/round.js'
import { createTimeline, isMessage, type Place, type Timeline } from '../log/timeline.js'
import { applyChange, type Shown } from './apply-change.js'
import { layOut } from './layout.js'
import { type PlacedNote, roundSegment, type Segment } from './segment.js'

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
    return firstDifference(before, shown.segments)
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
