import { expect, it } from 'vitest'
import type { Entry } from '../../log/entry.js'
import { never, state, user } from './samples.js'
import type { StoreFactory } from './store-factory.js'

/** The list of sessions. */
export function listContract(factory: StoreFactory): void {
  it('lists sessions newest first with their titles', async () => {
    const store = await factory()
    const sessions: Record<string, Entry[]> = {
      old: [{ ...user('a', 'for the model', 1), isMeta: true }, user('b', 'Fix\n the  login bug', 10)],
      newest: [user('a', 'long '.repeat(50), 1), user('b', 'second', 30)],
      named: [user('a', 'hello', 1), state('b', 'title', 'First', 2), state('c', 'title', 'Last', 20)],
      mute: [state('a', 'plan', null, 5)],
    }
    for (const [id, entries] of Object.entries(sessions)) {
      const session = await store.open(id, never)
      await session.append(entries)
      await session.close()
    }
    await (await store.open('empty', never)).close()
    const listed = []
    for await (const summary of store.list()) listed.push(summary)
    expect(listed).toEqual([
      { id: 'newest', title: 'long '.repeat(16).trim(), time: 30 },
      { id: 'named', title: 'Last', time: 20 },
      { id: 'old', title: 'Fix the login bug', time: 10 },
      { id: 'mute', title: '', time: 5 },
    ])
  })
}
