import type { Change } from '../log/edit.js'
import type { BlockRef, Id } from '../log/entry.js'
import type { Timeline } from '../log/timeline.js'

/** Rounds, or one block of a round. */
interface Area {
  readonly first: number
  readonly last: number
  readonly block?: BlockRef
}

/** Whether changes reach what edits cover that a person has brought back. */
export function touchesPinned(timeline: Timeline, changes: readonly Change[], pinned: ReadonlySet<Id>): boolean {
  if (pinned.size === 0) return false
  const kept = [...pinned].flatMap((id) => areasOfEdit(timeline, id))
  return changes.flatMap((change) => areasOf(timeline, change)).some((area) => kept.some((other) => meet(area, other)))
}

function areasOfEdit(timeline: Timeline, id: Id): Area[] {
  const entry = timeline.place(id)?.entry
  return entry?.kind === 'edit' ? entry.changes.flatMap((change) => areasOf(timeline, change)) : []
}

function areasOf(timeline: Timeline, change: Change): Area[] {
  switch (change.kind) {
    case 'fold':
    case 'drop': {
      const first = timeline.place(change.span.from)?.round
      const last = timeline.place(change.span.to)?.round
      return first === undefined || last === undefined ? [] : [{ first, last }]
    }
    case 'replace':
    case 'erase': {
      const round = timeline.place(change.target.entry)?.round
      return round === undefined ? [] : [{ first: round, last: round, block: change.target }]
    }
    case 'revert':
      return areasOfEdit(timeline, change.edit)
    case 'insert':
      return []
  }
}

function meet(a: Area, b: Area): boolean {
  if (a.block && b.block) return a.block.entry === b.block.entry && a.block.block === b.block.block
  return a.first <= b.last && b.first <= a.last
}
