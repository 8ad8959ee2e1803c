import { expect, it } from 'vitest'
import type { SessionStore } from '../../contract/store.js'
import { edit, fold, idsOf, never, state, user } from './samples.js'
import type { StoreFactory } from './store-factory.js'

/** Where a read without a start starts. */
export function checkpointContract(factory: StoreFactory): void {
  const twoFolds = async (): Promise<SessionStore> => {
    const session = await (await factory()).open('one', never)
    await session.append([user('a', ''), user('b', '')])
    await session.append([fold('f1', 'a', 'a'), state('k1', 'checkpoint', { from: 'b', edit: 'f1' })])
    await session.append([user('c', ''), user('d', '')])
    await session.append([fold('f2', 'a', 'c'), state('k2', 'checkpoint', { from: 'd', edit: 'f2' })])
    await session.append([user('e', '')])
    return session
  }
  const revert = (id: string, target: string) => edit(id, [{ kind: 'revert', edit: target }])
  const fromSecond = ['d', 'f2', 'k2', 'e']
  const fromFirst = ['b', 'f1', 'k1', 'c', ...fromSecond]

  it('starts a read at the first entry that the last checkpoint needs', async () => {
    const session = await twoFolds()
    expect(await idsOf(session.read())).toEqual(fromSecond)
    expect(await idsOf(session.read('a'))).toEqual(['a', ...fromFirst])
    await session.close()
  })

  it('passes over a checkpoint whose fold was reverted', async () => {
    const session = await twoFolds()
    await session.append([revert('r1', 'f2')])
    expect(await idsOf(session.read())).toEqual([...fromFirst, 'r1'])
    await session.append([revert('r2', 'f1')])
    expect(await idsOf(session.read())).toEqual(['a', ...fromFirst, 'r1', 'r2'])
    await session.close()
  })

  it('comes back to a checkpoint when the revert of its fold is reverted', async () => {
    const session = await twoFolds()
    await session.append([revert('r1', 'f2')])
    await session.append([revert('r2', 'r1')])
    expect(await idsOf(session.read())).toEqual([...fromSecond, 'r1', 'r2'])
    await session.close()
  })

  it('starts at a checkpoint in the batch of its own first entry', async () => {
    const session = await (await factory()).open('one', never)
    await session.append([user('a', '')])
    await session.append([user('b', ''), fold('f', 'a', 'a'), state('k', 'checkpoint', { from: 'f', edit: 'f' })])
    expect(await idsOf(session.read())).toEqual(['f', 'k'])
    await session.close()
  })
}
