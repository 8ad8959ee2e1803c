import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isNacreError, type NacreError } from '../../src/errors.js'
import { fileStore } from '../../src/node/file-store.js'
import { idsOf, never, textOf, user } from './entries.js'
import { PROJECT, placeOf, projectFolder } from './log-path.js'
import { temporaryHome } from './temporary-home.js'

async function errorOf(promise: Promise<unknown>): Promise<NacreError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isNacreError(error)) throw new Error('It did not fail as it has to.', { cause: error })
  return error
}

/** A store with a session of three batches, closed again. */
async function withThree() {
  const home = temporaryHome()
  const notices: string[] = []
  const store = fileStore({ home, project: PROJECT, report: ({ text }) => notices.push(text) })
  const session = await store.open('one', never)
  for (const id of ['a', 'b', 'c']) await session.append([user(id)])
  await session.close()
  return { home, store, notices, log: placeOf(home, 'one').log }
}

it.skipIf(process.platform === 'win32')('makes folders and files that only their owner can read', async () => {
  const home = join(temporaryHome(), 'new')
  const session = await fileStore({ home, project: PROJECT }).open('one', never)
  await session.append([user('a')])
  const { path = '' } = await session.put('note', 'text')
  const { log, blobs, lock } = placeOf(home, 'one')
  const [token = ''] = await readdir(lock)
  const modeOf = (each: string) => statSync(each).mode & 0o777
  expect([home, projectFolder(home), blobs, lock].map(modeOf)).toEqual([0o700, 0o700, 0o700, 0o700])
  expect([log, path, join(lock, token)].map(modeOf)).toEqual([0o600, 0o600, 0o600])
  await session.close()
})

it('leaves nothing behind when a session is only opened', async () => {
  const home = temporaryHome()
  await (await fileStore({ home, project: PROJECT }).open('one', never)).close()
  expect(await readdir(projectFolder(home))).toEqual(['locks'])
  expect(await readdir(join(projectFolder(home), 'locks'))).toEqual([])
})

it('keeps sessions of one project from another, whatever their names are', async () => {
  const home = temporaryHome()
  const ids = ['../up', 'locks', 'a/b', '.', 'ü 🐚', 'CON']
  const store = fileStore({ home, project: PROJECT })
  for (const id of ids) {
    const session = await store.open(id, never)
    await session.append([user('a', id)])
    expect(await textOf(session.get((await session.put('b', id)).blob))).toBe(id)
    await session.close()
  }
  const other = fileStore({ home, project: 'other' })
  const names = async (project?: string) => {
    const found: string[] = []
    for await (const { id } of other.list(project)) found.push(id)
    return found.toSorted()
  }
  expect(await names()).toEqual([])
  expect(await names(PROJECT)).toEqual(ids.toSorted())
})

describe('a log that something else touched', () => {
  it('drops a last line that is broken, and says so', async () => {
    const { store, notices, log } = await withThree()
    appendFileSync(log, '{"v":1,"entries":[{"id":\n')
    const session = await store.open('one', never)
    expect(await idsOf(session.read())).toEqual(['a', 'b', 'c'])
    await session.append([user('d')])
    expect(await idsOf(session.read())).toEqual(['a', 'b', 'c', 'd'])
    await session.close()
    expect(notices).toEqual([expect.stringContaining(log)])
  })

  it.each([
    ['broken', '{"v":1,"entr'],
    ['foreign', '{"type":"summary"}'],
    ['empty', ''],
  ])('names the file and the line when one in the middle is %s', async (_, line) => {
    const { store, log } = await withThree()
    const lines = readFileSync(log, 'utf8').split('\n')
    writeFileSync(log, [lines[0], line, ...lines.slice(1)].join('\n'))
    const session = await store.open('one', never)
    const error = await errorOf(idsOf(session.read()))
    expect(error.code).toBe('STORE_CORRUPT')
    expect(error.message).toContain(`${log}, line 2`)
    expect(await idsOf(session.read('b'))).toEqual(['b', 'c'])
    await session.close()
  })

  it.each([
    ['one whole line', 'one\n'],
    ['two lines', 'one\ntwo\n'],
    ['two lines and half of one', 'one\ntwo\n{"v":1,"ent'],
    ['a block of zeros', `\0\0\0\n${'\0'.repeat(100_000)}`],
  ])('opens when %s at the end can not be read, keeps them aside and says where', async (_, end) => {
    const { home, log } = await withThree()
    const before = readFileSync(log)
    appendFileSync(log, end)
    const notices: string[] = []
    const store = fileStore({ home, project: PROJECT, report: ({ text }) => notices.push(text) })
    const session = await store.open('one', never)
    expect(await idsOf(session.read())).toEqual(['a', 'b', 'c'])
    await session.append([user('d')])
    await session.close()
    expect(readFileSync(log).subarray(0, before.length)).toEqual(before)
    const aside = log.replace(/jsonl$/, 'dropped')
    expect(readFileSync(aside, 'utf8')).toBe(`${end}\n`)
    expect(notices).toEqual([expect.stringContaining(aside)])
  })

  it('keeps what was dropped before, and takes a secret out of it too', async () => {
    const { home, store, log } = await withThree()
    for (const end of ['one\nmy-secret\n', 'two\nmy-secret\n']) {
      appendFileSync(log, end)
      await (await store.open('one', never)).close()
    }
    const aside = log.replace(/jsonl$/, 'dropped')
    expect(readFileSync(aside, 'utf8')).toBe('one\nmy-secret\n\ntwo\nmy-secret\n\n')
    await fileStore({ home, project: PROJECT }).purge('one', 'my-secret')
    expect(readFileSync(aside, 'utf8')).toBe('one\n[purged]\n\ntwo\n[purged]\n\n')
  })

  it('cuts nothing off where not one line can be read', async () => {
    const { store, log } = await withThree()
    writeFileSync(log, 'one\ntwo\n')
    const error = await errorOf(store.open('one', never))
    expect(error.code).toBe('STORE_CORRUPT')
    expect(error.message).toContain('line 1')
    expect(readFileSync(log, 'utf8')).toBe('one\ntwo\n')
  })

  it('cuts nothing off that a later version wrote', async () => {
    const { store, log } = await withThree()
    appendFileSync(log, '{"v":2,"entries":[]}\n')
    const before = readFileSync(log)
    expect((await errorOf(store.open('one', never))).message).toContain('Update nacre')
    expect(readFileSync(log)).toEqual(before)
  })

  it('refuses to write on when another program wrote into it or removed it', async () => {
    const { store, log } = await withThree()
    const session = await store.open('one', never)
    await session.append([user('d')])
    appendFileSync(log, 'x')
    expect((await errorOf(session.append([user('e')]))).code).toBe('STORE_CORRUPT')
    rmSync(log)
    expect((await errorOf(session.append([user('e')]))).code).toMatch(/STORE_/)
    await session.close()
  })
})

describe('a folder that takes no writes', () => {
  it('is named, with what to do about it', async () => {
    const home = join(temporaryHome(), 'file')
    writeFileSync(home, '')
    const store = fileStore({ home, project: PROJECT })
    const attempts = [
      () => store.open('one', never),
      () => store.lease('one', never),
      () => store.purge('one', 'secret'),
    ]
    for (const attempt of attempts) {
      const error = await errorOf(attempt())
      expect(error.code).toBe('STORE_UNWRITABLE')
      expect(error.message).toContain(home)
      expect(error.message).toContain('NACRE_HOME')
    }
  })

  it('gives an empty list', async () => {
    const home = join(temporaryHome(), 'nowhere')
    for await (const _ of fileStore({ home }).list()) expect.unreachable()
  })

  it.skipIf(process.platform !== 'linux')('says that the disk is full', async () => {
    const home = temporaryHome()
    mkdirSync(projectFolder(home), { recursive: true })
    symlinkSync('/dev/full', placeOf(home, 'one').log)
    const session = await fileStore({ home, project: PROJECT }).open('one', never)
    for (const id of ['a', 'b']) {
      const error = await errorOf(session.append([user(id)]))
      expect(error.code).toBe('STORE_UNWRITABLE')
      expect(error.message).toContain(placeOf(home, 'one').log)
    }
    expect(await idsOf(session.read())).toEqual([])
  })

  it('says so for a blob too, and keeps the error of a stream as it is', async () => {
    const home = temporaryHome()
    const session = await fileStore({ home, project: PROJECT }).open('one', never)
    writeFileSync(placeOf(home, 'one').blobs, 'in the way')
    expect((await errorOf(session.put('note', 'text'))).code).toBe('STORE_UNWRITABLE')
    await session.close()
  })
})

it('loses a lease of which nothing was heard for a minute, and notices before it writes', async () => {
  const home = temporaryHome()
  let time = 1_000_000
  const store = fileStore({ home, project: PROJECT, now: () => time })
  const sleeper = await store.open('one', never)
  await sleeper.append([user('a')])
  time += 59_000
  expect((await errorOf(store.open('one', never))).code).toBe('SESSION_BUSY')
  time += 2_000
  const heir = await store.open('one', never)
  await heir.append([user('b')])
  const error = await errorOf(sleeper.append([user('lost')]))
  expect(error.code).toBe('SESSION_BUSY')
  expect(error.details.holder).toContain(`process ${process.pid}`)
  await sleeper.close()
  expect((await errorOf(store.open('one', never))).code).toBe('SESSION_BUSY')
  expect(await idsOf(heir.read())).toEqual(['a', 'b'])
  await heir.close()
})

it('removes what a killed writer left half-written', async () => {
  const { home, store } = await withThree()
  const { blobs } = placeOf(home, 'one')
  mkdirSync(blobs)
  writeFileSync(join(blobs, '.tmp-left'), 'half')
  await (await store.open('one', never)).close()
  expect(await readdir(blobs)).toEqual([])
})

it('forces bytes to the disk for each append when it is told to', async () => {
  const session = await fileStore({ home: temporaryHome(), project: PROJECT, fsync: 'appends' }).open('one', never)
  await session.append([user('a')])
  expect(await idsOf(session.read())).toEqual(['a'])
  await session.close()
})
