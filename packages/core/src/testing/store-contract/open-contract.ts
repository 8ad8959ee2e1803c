import { expect, it } from 'vitest'
import { codeOf, idsOf, never, textOf, user } from './samples.js'
import type { StoreFactory } from './store-factory.js'

/** What an opener gets, and what is left after a close. */
export function openContract(factory: StoreFactory): void {
  it('opens a session that is unknown as an empty one', async () => {
    const session = await (await factory()).open('new', never)
    expect(await idsOf(session.read())).toEqual([])
    expect(await codeOf(idsOf(session.read('a')))).toBe('NOT_FOUND')
    await session.close()
  })

  it('takes no more appends after a close, and does not mind a second close', async () => {
    const session = await (await factory()).open('one', never)
    await session.append([user('a', '')])
    await session.close()
    await session.close()
    expect(await codeOf(session.append([user('b', '')]))).toBe('STORE_UNWRITABLE')
  })

  it('lets one look into a session that is held, if it lets one look at all', async () => {
    const store = await factory()
    const session = await store.open('one', never)
    await session.append([user('a', '')])
    await session.append([user('b', ''), user('c', '')])
    if (store.peek) expect((await store.peek('one')).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    if (store.peek) expect(await store.peek('nobody')).toEqual([])
    await session.close()
  })

  it('lets two sessions share nothing', async () => {
    const store = await factory()
    const one = await store.open('one', never)
    const two = await store.open('two', never)
    await Promise.all([one.append([user('a', '')]), two.append([user('b', '')])])
    const { blob } = await one.put('note', 'of one')
    expect(await idsOf(one.read())).toEqual(['a'])
    expect(await idsOf(two.read())).toEqual(['b'])
    expect(await codeOf(textOf(two.get(blob)))).toBe('NOT_FOUND')
    await Promise.all([one.close(), two.close()])
  })
}
