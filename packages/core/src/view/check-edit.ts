import { inForce, isComplete, isMessage, isRewind, type LogRound, type Place, type Timeline } from '../log/timeline.js'
import type { Block, BlockRef, Change, Drop, Edit, Fold, Id } from '../types/log.js'
import { intervals, layOut } from './layout.js'
import type { Projection } from './projection.js'
import { segmentOf } from './segment.js'

/** What is asked of the view: an edit that has no place in the log yet. */
export type Proposal = Pick<Edit, 'owner' | 'reason' | 'changes'>

/** Why an edit is refused, or `undefined` when it may be appended. Looks at the change and its ends only. */
export function checkEdit(projection: Projection, { changes }: Proposal): string | undefined {
  if (changes.length === 0) return 'The edit changes nothing.'
  const reverted = new Set<Id>()
  const seen = withoutReverted(projection, changes)
  for (const change of changes) {
    const problem = checkChange(change.kind === 'revert' ? projection : seen, change, changes, reverted)
    if (problem) return problem
  }
  return changes.some((change) => change.kind === 'revert') ? checkReturning(projection, changes) : undefined
}

/** The view that the other changes of an edit meet: what it takes back is gone by then. */
function withoutReverted(projection: Projection, changes: readonly Change[]): Projection {
  const reverts = changes.filter((change) => change.kind === 'revert')
  if (reverts.length === 0 || reverts.length === changes.length) return projection
  const { timeline } = projection
  const alive = inForce([...timeline.edits.map(({ entry }) => entry), { ...NOBODY, changes: reverts }])
  return { ...projection, timeline, ...layOut(timeline, alive) }
}

function checkChange(
  projection: Projection,
  change: Change,
  all: readonly Change[],
  reverted: Set<Id>,
): string | undefined {
  switch (change.kind) {
    case 'replace':
      return checkReplace(projection, change.target, change.content)
    case 'erase':
      return checkErase(projection, change.target)
    case 'insert':
      if (change.note.text.trim() === '') return 'A note must not be empty.'
      return change.note.inside ? checkInside(projection, change.note.inside) : undefined
    case 'fold':
      if (change.content.length === 0) return 'A fold needs content: something has to stand for the span.'
      return checkSpan(projection, change, all)
    case 'drop':
      return checkSpan(projection, change, all)
    case 'renew':
      return undefined
    case 'revert':
      return checkRevert(projection, change.edit, reverted)
  }
}

function blockAt(timeline: Timeline, { entry, block }: BlockRef): Block | undefined {
  const found = timeline.place(entry)?.entry
  return found && isMessage(found) ? found.content[block] : undefined
}

function checkVisible(projection: Projection, target: BlockRef): string | undefined {
  if (!blockAt(projection.timeline, target)) return `There is no block ${target.block} in entry ${target.entry}.`
  const round = projection.timeline.place(target.entry)?.round ?? -1
  const index = segmentOf(projection.segments, round)
  const isHidden = index === undefined || projection.segments[index]?.span !== undefined
  return isHidden ? `Entry ${target.entry} is not in view.` : undefined
}

const ERASABLE: ReadonlySet<string> = new Set(['tool_result', 'tool_use', 'thinking', 'redacted_thinking'])

/** No server leaves out what a person or the model has said. */
function checkErase(projection: Projection, target: BlockRef): string | undefined {
  const problem = checkVisible(projection, target)
  if (problem) return problem
  const { type } = blockAt(projection.timeline, target) as Block
  return ERASABLE.has(type) ? undefined : `Only results, calls and thinking can be erased, not '${type}'.`
}

/** A pair stays a pair and text stays text; only thinking may go without anything in its place. */
function checkReplace(projection: Projection, target: BlockRef, content: readonly Block[]): string | undefined {
  const problem = checkVisible(projection, target)
  if (problem) return problem
  const block = blockAt(projection.timeline, target) as Block
  const [only] = content
  if (block.type === 'thinking' || block.type === 'redacted_thinking') {
    return content.length ? 'Thinking can be taken out, not changed.' : undefined
  }
  if (block.type === 'tool_use') {
    const isSame = content.length === 1 && only?.type === 'tool_use' && only.id === block.id && only.name === block.name
    return isSame ? undefined : `Call ${block.id} can only be replaced by the same call with another input.`
  }
  if (block.type === 'tool_result') {
    const isSame = content.length === 1 && only?.type === 'tool_result' && only.tool_use_id === block.tool_use_id
    return isSame ? undefined : `The result of call ${block.tool_use_id} can only be replaced by another one.`
  }
  return content.length > 0 && content.every(isPlain)
    ? undefined
    : 'The replacement must be text or media that is not empty.'
}

function isPlain(block: Block): boolean {
  if (block.type === 'text') return String(block.text).trim() !== ''
  return block.type === 'image' || block.type === 'document'
}

function checkInside(projection: Projection, target: BlockRef): string | undefined {
  const block = blockAt(projection.timeline, target)
  if (block?.type !== 'tool_result') return 'A note can only stand inside a tool result.'
  return checkVisible(projection, target)
}

function checkSpan(projection: Projection, change: Fold | Drop, all: readonly Change[]): string | undefined {
  const { timeline, segments } = projection
  const from = timeline.place(change.span.from)
  const to = timeline.place(change.span.to)
  if (!from || !to || !isMessage(from.entry) || !isMessage(to.entry)) return 'A span goes from one message to another.'
  const first = timeline.rounds[from.round] as LogRound
  const last = timeline.rounds[to.round] as LogRound
  if (first.entries[0] !== from.entry) return `Entry ${from.entry.id} does not begin a round.`
  if (last.entries.at(-1) !== to.entry) return `Entry ${to.entry.id} does not end a round.`
  if (from.round > to.round) return 'A span ends after it begins.'
  const isToEnd = isRewind(change)
  if (isToEnd && to.round !== timeline.rounds.length - 1) return 'A drop without a note goes up to the end.'
  if (!isToEnd && !isComplete(last)) return 'The pending turn can not be in a span.'
  const start = segments[segmentOf(segments, from.round) ?? -1]
  const end = segments[segmentOf(segments, to.round) ?? -1]
  if (!start || start.first < from.round) return 'The span begins inside another one.'
  if (!end || end.last > to.round) return 'The span ends inside another one.'
  if (start === end && start.span && !isSameRange(start, from, to)) return 'The span lies inside another one.'
  const others = all.filter((other) => other !== change && (other.kind === 'fold' || other.kind === 'drop'))
  return others.length ? 'One edit folds or drops one span.' : undefined
}

function isSameRange(segment: { first: number; last: number }, from: Place, to: Place): boolean {
  return segment.first === from.round && segment.last === to.round
}

function checkRevert(projection: Projection, target: Id, reverted: Set<Id>): string | undefined {
  const place = projection.timeline.place(target)
  if (place?.entry.kind !== 'edit') return `There is no edit ${target}.`
  if (!projection.alive().has(target) || reverted.has(target)) return `Edit ${target} is not in force.`
  reverted.add(target)
  return undefined
}

/** Taking back a revert brings spans back: they must not cross those that came in between. */
function checkReturning({ timeline }: Projection, changes: readonly Change[]): string | undefined {
  const proposed: Edit = { ...NOBODY, changes }
  const edits = [...timeline.edits.map(({ entry }) => entry), proposed]
  const alive = inForce(edits)
  const places = timeline.edits.filter(({ entry }) => alive.has(entry.id))
  const end: Place<Edit> = {
    ordinal: Number.MAX_SAFE_INTEGER,
    entry: proposed,
    round: timeline.rounds.length,
    isAfterResponse: false,
  }
  const all = intervals(timeline, [...places, end]).sort((a, b) => a.first - b.first || b.last - a.last)
  if (all.some((interval) => losesQuestion(interval, timeline))) {
    return 'What comes back would leave an answer without its question.'
  }
  const open: { last: number }[] = []
  for (const interval of all) {
    while (open.length && (open.at(-1)?.last ?? 0) < interval.first) open.pop()
    const around = open.at(-1)
    if (around && interval.last > around.last) return 'What comes back would cross an edit that was made since.'
    open.push(interval)
  }
  return undefined
}

/** A rewind leaves nothing in its place, so what follows it has to begin with a prompt. */
function losesQuestion({ span, last }: ReturnType<typeof intervals>[number], { rounds }: Timeline): boolean {
  return isRewind(span.change) && rounds[last + 1]?.entries[0]?.kind === 'assistant'
}

const NOBODY: Edit = {
  kind: 'edit',
  id: '',
  time: 0,
  owner: '',
  reason: '',
  changes: [],
  price: { freed: 0, dollars: 0, breaksAt: null, thinkingLost: 0 },
}
