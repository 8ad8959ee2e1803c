import type { BlockRef, Edit, Entry, Id, SessionStore, View } from '@nacre/core'

/** Tells whether a person has brought a block back, so that it is left alone. */
export type IsPinned = (target: BlockRef) => boolean

/** Reads what a person has brought back; the log is looked through once for each time that something was. */
export function pinnedBlocks(store: SessionStore): (view: View) => Promise<IsPinned> {
  let seen = ''
  let pinned: IsPinned = () => false
  return async (view) => {
    const edits = (view.state('core', 'pinned') as readonly Id[] | undefined) ?? []
    const key = edits.join()
    if (key === seen) return pinned
    pinned = edits.length === 0 ? () => false : await readPinned(store, new Set(edits))
    seen = key
    return pinned
  }
}

async function readPinned(store: SessionStore, edits: ReadonlySet<Id>): Promise<IsPinned> {
  const order: Id[] = []
  const found: Edit[] = []
  for await (const entry of store.read()) {
    if (isMessage(entry)) order.push(entry.id)
    else if (entry.kind === 'edit' && edits.has(entry.id)) found.push(entry)
  }
  const entries = new Set<Id>()
  const blocks = new Set<string>()
  for (const change of found.flatMap(({ changes }) => changes)) {
    if (change.kind === 'replace' || change.kind === 'erase') blocks.add(keyOf(change.target))
    if (change.kind !== 'fold' && change.kind !== 'drop') continue
    const from = Math.max(0, order.indexOf(change.span.from))
    for (const id of order.slice(from, order.indexOf(change.span.to) + 1)) entries.add(id)
  }
  return (target) => entries.has(target.entry) || blocks.has(keyOf(target))
}

function isMessage({ kind }: Entry): boolean {
  return kind === 'user' || kind === 'assistant'
}

function keyOf({ entry, block }: BlockRef): string {
  return `${entry}/${block}`
}
