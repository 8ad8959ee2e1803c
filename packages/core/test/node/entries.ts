import type { Edit, Entry, StateEntry, UserEntry } from '../../src/types/log.js'

export const never = new AbortController().signal

export function user(id: string, text = '', time = 0): UserEntry {
  return { kind: 'user', id, time, content: [{ type: 'text', text }] }
}

export function title(id: string, value: string, time = 0): StateEntry {
  return { kind: 'state', id, time, owner: 'core', key: 'title', value }
}

/** A fold and its checkpoint, as they stand in one batch. */
export function folded(id: string, from: string): readonly [Edit, StateEntry] {
  const price = { freed: 0, dollars: 0, breaksAt: null, thinkingLost: 0 }
  const changes = [{ kind: 'fold', span: { from: 'a', to: 'b' }, content: [] }] as const
  return [
    { kind: 'edit', id, time: 0, owner: 'test', reason: 'test', changes, price },
    { kind: 'state', id: `${id}-checkpoint`, time: 0, owner: 'core', key: 'checkpoint', value: { from, edit: id } },
  ]
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

export async function idsOf(entries: AsyncIterable<Entry>): Promise<string[]> {
  return (await all(entries)).map(({ id }) => id)
}

export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await all(chunks)).toString()
}
