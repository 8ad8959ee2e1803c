import type { Timeline } from '../log/timeline.js'
import type { BlockRef, Change, Id, Span } from '../types/log.js'
import type { View } from '../types/view.js'

/** Rounds, or one block of a round. */
interface Area {
  readonly first: number
  readonly last: number
  readonly block?: BlockRef
}

/** The edits that a person took back, from the state in which core keeps them. */
export function pinnedEdits(view: Pick<View, 'state'>): readonly Id[] {
  return (view.state('core', 'pinned') as readonly Id[] | undefined) ?? []
}

/** What edits cover that a person has brought back. */
export function pinnedAreas(timeline: Timeline, pinned: readonly Id[]): readonly Area[] {
  return pinned.flatMap((id) => areasOfEdit(timeline, id))
}

/** Whether a span or a block is among it. */
export function isPinned(timeline: Timeline, target: BlockRef | Span, pinned: readonly Area[]): boolean {
  const change: Change =
    'from' in target ? { kind: 'fold', span: target, content: [] } : { kind: 'replace', target, content: [] }
  return touchesPinned(timeline, [change], pinned)
}

/** Whether changes reach it. */
export function touchesPinned(timeline: Timeline, changes: readonly Change[], pinned: readonly Area[]): boolean {
  if (pinned.length === 0) return false
  return changes
    .flatMap((change) => areasOf(timeline, change))
    .some((area) => pinned.some((other) => meet(area, other)))
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
    case 'renew':
    case 'insert':
      return []
  }
}

function meet(a: Area, b: Area): boolean {
  if (a.block && b.block) return a.block.entry === b.block.entry && a.block.block === b.block.block
  return a.first <= b.last && b.first <= a.last
}
