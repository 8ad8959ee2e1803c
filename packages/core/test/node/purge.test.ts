import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readLog } from '../../src/log/checkpoint.js'
import { fileStore } from '../../src/node/file-store.js'
import { all, folded, idsOf, never, textOf, title, user } from './entries.js'
import { PROJECT, placeOf } from './log-path.js'
import { temporaryHome } from './temporary-home.js'

const SECRET = 'sk-"quoted"\\and\nlong'

async function withSecrets() {
  const home = temporaryHome()
  const store = fileStore({ home, project: PROJECT })
  const session = await store.open('one', never)
  await session.append([user('a', `before ${SECRET} after ${SECRET}`)])
  await session.append([user('b', JSON.stringify({ output: SECRET }))])
  await session.append([...folded('f', 'b'), title('t', `About ${SECRET}`)])
  const plain = await session.put('plain.txt', `${'x'.repeat(65_530)}${SECRET} tail`)
  const json = await session.put('out.json', JSON.stringify([SECRET]))
  await session.append([user('c', 'last')])
  return { home, store, session, plain, json }
}

it('takes a secret out of the log and the blobs and leaves a tombstone', async () => {
  const { home, store, session, plain, json } = await withSecrets()
  await session.close()
  await store.purge('one', SECRET)
  const again = await store.open('one', never)
  const entries = await all(again.read('a'))
  expect(entries[0]).toEqual(user('a', 'before [purged] after [purged]'))
  expect(entries[1]).toEqual(user('b', '{"output":"[purged]"}'))
  expect(await textOf(again.get(plain.blob))).toBe(`${'x'.repeat(65_530)}[purged] tail`)
  expect(await textOf(again.get(json.blob))).toBe('["[purged]"]')
  // The lines are shorter now, and the checkpoint still finds its first entry.
  expect((await readLog(again)).entries.slice(-5).map(({ id }) => id)).toEqual(['b', 'f', 'f-checkpoint', 't', 'c'])
  const { log, blobs } = placeOf(home, 'one')
  await again.close()
  expect(readdirSync(blobs).toSorted()).toEqual(['out.json', 'plain.txt'])
  const left = [log, ...readdirSync(blobs).map((name) => join(blobs, name))].map((path) => readFileSync(path, 'utf8'))
  for (const text of left) expect(text).not.toMatch(/sk-|quoted/)
})

it('refuses while the session is open, and changes nothing', async () => {
  const { home, store, session } = await withSecrets()
  const before = readFileSync(placeOf(home, 'one').log)
  await expect(store.purge('one', SECRET)).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  expect(readFileSync(placeOf(home, 'one').log)).toEqual(before)
  await session.append([user('d')])
  await session.close()
})

it('refuses a secret that is too short to be one', async () => {
  const { store, session } = await withSecrets()
  await session.close()
  await expect(store.purge('one', 'abc')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

it('takes a word of the format itself out of the content only', async () => {
  const home = temporaryHome()
  const store = fileStore({ home, project: PROJECT })
  const session = await store.open('one', never)
  await session.append([user('a', 'the user said text')])
  await session.close()
  await store.purge('one', 'user')
  await store.purge('one', 'text')
  const again = await store.open('one', never)
  expect(await idsOf(again.read())).toEqual(['a'])
  await again.close()
})
