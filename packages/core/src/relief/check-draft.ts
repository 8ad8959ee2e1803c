import type { Draft } from '../contract/relief.js'
import type { Change, Revert } from '../log/edit.js'
import type { Block, BlockRef } from '../log/entry.js'
import { isMessage, type Timeline } from '../log/timeline.js'
import { estimateBlock } from '../tokens/estimate-block.js'
import { estimateText } from '../tokens/estimate-text.js'
import { checkEdit } from '../view/check-edit.js'
import type { Projection } from '../view/projection.js'
import { refKey, segmentOf } from '../view/segment.js'
import { type DraftTask, FOLDING } from './draft-task.js'
import type { ReliefParts } from './relief-parts.js'
import { touchesPinned } from './touches-pinned.js'

/** Why a draft is refused whatever its size, or `undefined`. */
export function checkDraft(parts: ReliefParts, { changes, reason }: Draft, task: DraftTask): string | undefined {
  const { projection } = parts.conversation
  for (const change of changes) {
    const problem = checkKind(projection.timeline, change, task)
    if (problem) return problem
  }
  if (task.trigger === 'auto' && touchesPinned(projection.timeline, changes, parts.pinned())) {
    return 'It reaches what a person has brought back.'
  }
  const refused = checkEdit(projection, { owner: task.owner, reason, changes })
  if (refused !== undefined) return refused
  return task.pressure !== 'proposed' && grows(projection, changes) ? 'It frees nothing.' : undefined
}

function checkKind(timeline: Timeline, change: Change, { rung, pressure, owner }: DraftTask): string | undefined {
  if (change.kind === 'fold') {
    if (!FOLDING.has(rung)) return `A relief on the rung '${rung}' does not fold.`
    return isReadable(change.content) ? undefined : 'What stands for a span is text or media that is not empty.'
  }
  if (change.kind === 'drop' && change.note === undefined) return 'Only a person rewinds.'
  if (change.kind !== 'revert' || pressure === 'proposed') return undefined
  return isOwnErase(timeline, change, owner) ? undefined : 'A relief takes nothing back but what it has erased.'
}

/** What was erased in a cache that is gone has to go in another way. */
function isOwnErase(timeline: Timeline, { edit }: Revert, owner: string): boolean {
  const found = timeline.place(edit)?.entry
  return found?.kind === 'edit' && found.owner === owner && found.changes.every(({ kind }) => kind === 'erase')
}

function isReadable(content: readonly Block[]): boolean {
  const isSigned = content[0]?.type === 'compaction'
  return content
    .slice(isSigned ? 1 : 0)
    .every(
      ({ type, text }) =>
        type === 'image' || type === 'document' || (type === 'text' && typeof text === 'string' && text.trim() !== ''),
    )
}

/** Whether replacements and notes are larger than what they replace. Folds are measured with all that comes with them. */
function grows(projection: Projection, changes: readonly Change[]): boolean {
  let added = 0
  for (const change of changes) {
    if (change.kind === 'insert') added += estimateText(change.note.text)
    else if (change.kind === 'replace') added += size(change.content) - size(shownAt(projection, change.target))
    else return false
  }
  return added >= 0
}

function shownAt({ timeline, segments }: Projection, target: BlockRef): readonly Block[] {
  const place = timeline.place(target.entry)
  const segment = segments[segmentOf(segments, place?.round ?? -1) ?? -1]
  const replaced = segment?.replaced.get(refKey(target))
  if (replaced) return replaced.change.content
  const block = place && isMessage(place.entry) ? place.entry.content[target.block] : undefined
  return block ? [block] : []
}

function size(content: readonly Block[]): number {
  return content.reduce((sum, block) => sum + estimateBlock(block), 0)
}
