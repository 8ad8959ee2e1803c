import type { Block, BlockRef, Edit, Entry, Id } from '@nacre/core'

/** What edits do to a log that is read: what is never told again, and what a person took back. */
export interface LogEdits {
  /** What stands for a block that was redacted. */
  redacted(target: BlockRef): readonly Block[] | undefined
  /** By the first entry that was taken back: the edits that took it back, up to which all is. */
  readonly rewinds: ReadonlyMap<Id, readonly Id[]>
  isInForce(edit: Id): boolean
}

type Marks = Pick<Edit, 'id' | 'changes'>

/** Gathers edits while a log goes by; no more of each is kept than decides. */
export function gatherEdits(): { add(entry: Entry): void; edits(): LogEdits } {
  const kept: Marks[] = []
  return {
    add(entry) {
      if (entry.kind !== 'edit') return
      const changes = entry.changes.filter(
        (change) => change.kind === 'revert' || (change.kind === 'replace' && change.redacts) || isRewind(change),
      )
      if (changes.length > 0) kept.push({ id: entry.id, changes })
    },
    edits: () => readEdits(kept),
  }
}

function readEdits(kept: readonly Marks[]): LogEdits {
  const reverted = revertedIn(kept)
  const blocks = new Map<string, readonly Block[]>()
  const rewinds = new Map<Id, Id[]>()
  for (const { id, changes } of kept) {
    if (reverted.has(id)) continue
    for (const change of changes) {
      if (change.kind === 'replace') blocks.set(keyOf(change.target), change.content)
      if (change.kind === 'drop') rewinds.set(change.span.from, [...(rewinds.get(change.span.from) ?? []), id])
    }
  }
  return {
    redacted: (target) => blocks.get(keyOf(target)),
    rewinds,
    isInForce: (edit) => !reverted.has(edit),
  }
}

/** A rewind takes back all edits since; what was redacted stays so, since only a person's undo of that very edit says otherwise. */
function revertedIn(kept: readonly Marks[]): ReadonlySet<Id> {
  const redacting = new Set(
    kept.filter(({ changes }) => changes.some(({ kind }) => kind === 'replace')).map(({ id }) => id),
  )
  const reverted = new Set<Id>()
  for (const { id, changes } of kept.toReversed()) {
    if (reverted.has(id)) continue
    const isTakingBack = changes.some(isRewind)
    for (const change of changes) {
      if (change.kind === 'revert' && !(isTakingBack && redacting.has(change.edit))) reverted.add(change.edit)
    }
  }
  return reverted
}

function isRewind(change: Edit['changes'][number]): boolean {
  return change.kind === 'drop' && change.note === undefined
}

function keyOf({ entry, block }: BlockRef): string {
  return `${entry}#${block}`
}
