import { expect, it } from 'vitest'
import type { Entry } from '../../log/entry.js'
import { codeOf, idsOf, never, state, user } from './samples.js'
import type { StoreFactory } from './store-factory.js'

/** Appends and reads. */
export function logContract(factory: StoreFactory): void {
  it('gives entries back oldest first, also to the next opener', async () => {
    const store = await factory()
    const first = await store.open('one', never)
    const entries = [user('a', 'line\nbreak \u2028 ünïcode 🐚'), state('b', 'plan', { steps: [1, null, 'x'] })]
    await first.append(entries)
    await first.append([user('c', 'third')])
    expect(await idsOf(first.read())).toEqual(['a', 'b', 'c'])
    await first.close()
    const second = await store.open('one', never)
    const read: Entry[] = []
    for await (const entry of second.read()) read.push(entry)
    expect(read).toEqual([...entries, user('c', 'third')])
    await second.close()
  })

  it('keeps the order of appends that nobody waited for', async () => {
    const session = await (await factory()).open('one', never)
    const ids = Array.from({ length: 50 }, (_, index) => `e${index}`)
    await Promise.all(ids.map((id) => session.append([user(id, id)])))
    expect(await idsOf(session.read())).toEqual(ids)
    await session.close()
  })

  it('appends a batch whole or not at all', async () => {
    const session = await (await factory()).open('one', never)
    await session.append([user('a', 'kept')])
    const broken = { ...user('c', ''), content: [{ type: 'text', text: 1n }] } as unknown as Entry
    await expect(session.append([user('b', 'lost with it'), broken])).rejects.toThrow()
    await session.append([])
    await session.append([user('d', 'kept')])
    expect(await idsOf(session.read())).toEqual(['a', 'd'])
    await session.close()
  })

  it('is not changed by what happens to an entry after its append', async () => {
    const session = await (await factory()).open('one', never)
    const entry = { ...user('a', ''), content: [{ type: 'text', text: 'as it was' }] }
    await session.append([entry])
    entry.content[0] = { type: 'text', text: 'changed' }
    for await (const read of session.read()) expect(read).toEqual(user('a', 'as it was'))
    await session.close()
  })

  it('reads from an entry on, also from one inside a batch', async () => {
    const session = await (await factory()).open('one', never)
    await session.append([user('a', ''), user('b', ''), user('c', '')])
    await session.append([user('d', '')])
    expect(await idsOf(session.read('b'))).toEqual(['b', 'c', 'd'])
    expect(await idsOf(session.read('d'))).toEqual(['d'])
    expect(await codeOf(idsOf(session.read('nowhere')))).toBe('NOT_FOUND')
    await session.close()
  })
}
