import { describe, expect, it } from 'vitest'
import { readLog } from '../../src/log/checkpoint.js'
import { fileStore } from '../../src/node/file-store.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { Edit, Entry, StateEntry } from '../../src/types/log.js'
import type { SessionStore, Store } from '../../src/types/store.js'
import { never, user } from '../node/entries.js'
import { temporaryHome } from '../node/temporary-home.js'

/** What every store has to do, and nothing beyond: such a one reads a log only forwards. */
function plainStore(): Store {
  const store = memoryStore()
  return {
    ...store,
    async open(session, signal) {
      const { readBack: _, ...plain } = await store.open(session, signal)
      return plain
    },
  }
}

const price = { freed: 0, dollars: 0, breaksAt: null, thinkingLost: 0 }

function edit(id: string, changes: Edit['changes']): Edit {
  return { kind: 'edit', id, time: 0, owner: 'test', reason: 'test', changes, price }
}

const fold = (id: string, from: string, to: string) => edit(id, [{ kind: 'fold', span: { from, to }, content: [] }])
const revert = (id: string, target: string) => edit(id, [{ kind: 'revert', edit: target }])

function checkpoint(id: string, value: StateEntry['value']): StateEntry {
  return { kind: 'state', id, time: 0, owner: 'core', key: 'checkpoint', value }
}

/** The entries that were read from the log itself, without those that stand for what was not. */
async function idsRead(session: SessionStore): Promise<readonly string[]> {
  const { entries } = await readLog(session)
  const kept = new Set<string>()
  for await (const { id } of session.read()) kept.add(id)
  const start = entries.findLastIndex(({ id, time }) => time === 0 && !kept.has(id))
  return entries.slice(start + 1).flatMap(({ id }: Entry) => (kept.has(id) ? [id] : []))
}

describe.each([
  ['forwards only', plainStore],
  ['in memory', memoryStore],
  ['in files', () => fileStore({ home: temporaryHome() })],
] as const)('a log that is read %s', (_, factory) => {
  const twoFolds = async (): Promise<SessionStore> => {
    const session = await factory().open('one', never)
    await session.append([user('a'), user('b')])
    await session.append([fold('f1', 'a', 'a'), checkpoint('k1', { from: 'b', edit: 'f1' })])
    await session.append([user('c'), user('d')])
    await session.append([fold('f2', 'a', 'c'), checkpoint('k2', { from: 'd', edit: 'f2' })])
    await session.append([user('e')])
    return session
  }
  const fromSecond = ['d', 'f2', 'k2', 'e']
  const fromFirst = ['b', 'f1', 'k1', 'c', ...fromSecond]

  it('starts at the first entry that the last checkpoint needs', async () => {
    const session = await twoFolds()
    expect((await readLog(session)).entries.slice(-4).map(({ id }) => id)).toEqual(fromSecond)
    expect((await readLog(session)).checkpoint).toMatchObject({ from: 'd', edit: 'f2' })
    await session.close()
  })

  it('passes over a checkpoint whose fold was reverted', async () => {
    const session = await twoFolds()
    await session.append([revert('r1', 'f2')])
    expect((await readLog(session)).entries.slice(-9).map(({ id }) => id)).toEqual([...fromFirst, 'r1'])
    await session.append([revert('r2', 'f1')])
    expect(await idsRead(session)).toEqual(['a', ...fromFirst, 'r1', 'r2'])
    expect((await readLog(session)).checkpoint).toBeUndefined()
    await session.close()
  })

  it('comes back to a checkpoint when the revert of its fold is reverted', async () => {
    const session = await twoFolds()
    await session.append([revert('r1', 'f2')])
    await session.append([revert('r2', 'r1')])
    expect((await readLog(session)).entries.slice(-6).map(({ id }) => id)).toEqual([...fromSecond, 'r1', 'r2'])
    await session.close()
  })

  it('starts at a checkpoint in the batch of its own first entry', async () => {
    const session = await factory().open('one', never)
    await session.append([user('a')])
    await session.append([user('b'), fold('f', 'a', 'a'), checkpoint('k', { from: 'f', edit: 'f' })])
    const { entries, checkpoint: found } = await readLog(session)
    expect(entries.slice(-2).map(({ id }) => id)).toEqual(['f', 'k'])
    expect(found).toMatchObject({ from: 'f' })
    await session.close()
  })

  it('has nothing made up in it where the checkpoint needs all of it', async () => {
    const session = await factory().open('one', never)
    await session.append([user('a'), user('b'), fold('f', 'b', 'b'), checkpoint('k', { from: 'a', edit: 'f' })])
    const { entries, checkpoint: found } = await readLog(session)
    expect(entries.map(({ id }) => id)).toEqual(['a', 'b', 'f', 'k'])
    expect(found).toBeUndefined()
    await session.close()
  })

  it.each([
    ['names an entry that is not there', { from: 'nowhere', edit: 'f' }],
    ['has no first entry', { edit: 'f' }],
    ['keeps states that are no list', { from: 'b', edit: 'f', states: 'all' }],
    ['is no object', 'checkpoint'],
    ['is null', null],
  ] as const)('is read whole when a checkpoint %s', async (_what, value) => {
    const session = await factory().open('one', never)
    await session.append([user('a'), user('b'), fold('f', 'a', 'a'), checkpoint('k', value)])
    expect(await readLog(session)).toMatchObject({ checkpoint: undefined, entries: { length: 4 } })
    await session.close()
  })
})
