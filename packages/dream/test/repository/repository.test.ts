import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { takeLock } from '@nacre/core/node'
import { expect, it } from 'vitest'
import { openRepository } from '../../src/repository/repository.js'
import { CAUSE, diskFiles, gitProblems, NOON, newFolder, newRepository, write } from './test-folder.js'

it('makes a private folder that is a git repository with one commit', async () => {
  const path = join(newFolder(), 'a', 'memory')
  const repository = await openRepository({ path, now: () => NOON })
  expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(readFileSync(join(path, '.gitignore'), 'utf8')).toBe('.nacre/\n.consolidate-lock\n')
  const [commit, ...others] = await repository.log()
  expect(others).toEqual([])
  expect(commit).toMatchObject({ time: NOON, cause: { by: 'import' } })
  expect(await repository.snapshot()).toEqual({
    commit: commit?.id,
    files: new Map([['.gitignore', '.nacre/\n.consolidate-lock\n']]),
  })
  expect(await gitProblems(path)).toBe('')
})

it('makes a change that is in the files, in the history and clean to git', async () => {
  const repository = await newRepository()
  const cause = {
    by: 'dream',
    summary: 'Merged two memories',
    details: ['kept a.md', 'merged b.md into a.md: the same'],
    session: 's-1',
    dollars: 0.0123,
    consent: 'reversible',
  } as const
  const commit = await write(repository, { 'a.md': 'one\n', 'logs/2026/01/x.md': 'two\n' }, cause)
  expect(commit?.cause).toEqual(cause)
  expect(diskFiles(repository.path)).toEqual(
    new Map([
      ['a.md', 'one\n'],
      ['logs/2026/01/x.md', 'two\n'],
    ]),
  )
  expect((await repository.log()).map(({ cause }) => cause.summary)).toEqual([
    'Merged two memories',
    'Begin the memory folder',
  ])
  expect(await repository.diff(commit?.id ?? '')).toEqual([
    { path: 'a.md', after: 'one\n' },
    { path: 'logs/2026/01/x.md', after: 'two\n' },
  ])
  expect(await gitProblems(repository.path)).toBe('')
  await write(repository, { 'logs/2026/01/x.md': undefined })
  expect(existsSync(join(repository.path, 'logs'))).toBe(false)
  expect(await gitProblems(repository.path)).toBe('')
})

it('commits what was edited by hand before a change sees it', async () => {
  const repository = await newRepository()
  await write(repository, { 'a.md': 'one\n', 'b.md': 'two\n' })
  writeFileSync(join(repository.path, 'a.md'), 'ONE\n')
  let seen: string | undefined
  await repository.change(CAUSE, ({ files }) => {
    seen = files.get('a.md')
    return new Map([['b.md', 'TWO\n']])
  })
  expect(seen).toBe('ONE\n')
  const [last, hand] = await repository.log()
  expect(last?.cause).toEqual(CAUSE)
  expect(hand?.cause).toEqual({ by: 'hand', summary: 'Edited by hand: a.md', details: ['Changed a.md'] })
  expect(await gitProblems(repository.path)).toBe('')
})

it('undoes, and undoes the undo', async () => {
  const repository = await newRepository()
  await write(repository, { 'a.md': 'one\n' })
  const second = await write(repository, { 'a.md': 'two\n', 'b.md': 'new\n' })
  const undone = await repository.undo(second?.id.slice(0, 8) ?? '')
  expect(undone.cause).toMatchObject({ by: 'undo', summary: 'Undo: Noted something' })
  expect(diskFiles(repository.path)).toEqual(new Map([['a.md', 'one\n']]))
  expect((await repository.undo(undone.id)).cause.summary).toBe('Redo: Noted something')
  expect(diskFiles(repository.path)).toEqual(
    new Map([
      ['a.md', 'two\n'],
      ['b.md', 'new\n'],
    ]),
  )
  expect(await gitProblems(repository.path)).toBe('')
})

it('does nothing without an answer, and without a difference', async () => {
  const repository = await newRepository()
  await write(repository, { 'a.md': 'one\n' })
  expect(await repository.change(CAUSE, () => undefined)).toBeUndefined()
  expect(await write(repository, { 'a.md': 'one\n', 'b.md': undefined })).toBeUndefined()
  expect(await repository.log()).toHaveLength(2)
})

it('changes nothing when `make` throws, and goes on with the next', async () => {
  const repository = await newRepository()
  const failing = repository.change(CAUSE, () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await write(repository, { 'a.md': 'one\n' })).toBeDefined()
})

it.each([
  '../a.md',
  '/a.md',
  'a/../../b.md',
  'a//b.md',
  'C:/a.md',
  '.git/config',
  'x/.GIT/hooks/a',
  '.g\u200bit/config',
  'git~1/config',
  '.gitattributes',
  '.nacre/journal.json',
  '.consolidate-lock',
  'a\\b.md',
  'a\0.md',
  'con.md',
  'a./b.md',
  `${'x'.repeat(201)}.md`,
  '',
])('refuses the path %j, and the other files of the change with it', async (path) => {
  const repository = await newRepository()
  const change = write(repository, { 'fine.md': 'x\n', [path]: 'x\n' })
  await expect(change).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  expect(diskFiles(repository.path)).toEqual(new Map())
  expect(await repository.log()).toHaveLength(1)
})

it.each([
  ['a NUL', 'a\0b'],
  ['half a character', '\ud800'],
  ['more than a megabyte', 'x'.repeat(1_000_001)],
])('refuses a text with %s', async (_, text) => {
  const repository = await newRepository()
  await expect(write(repository, { 'a.md': text })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

it('refuses what would be one file on some disks, or a file where a folder is', async () => {
  const repository = await newRepository()
  await write(repository, { 'a.md': 'x\n', 'b/c.md': 'x\n' })
  await expect(write(repository, { 'A.md': 'y\n' })).rejects.toThrow('the same file as a.md')
  await expect(write(repository, { 'a.md/b.md': 'y\n' })).rejects.toThrow('is a file and no folder')
  await expect(write(repository, { b: 'y\n' })).rejects.toThrow('b')
  expect(await gitProblems(repository.path)).toBe('')
})

it('follows no link out of the folder', async () => {
  const repository = await newRepository()
  const outside = newFolder()
  symlinkSync(outside, join(repository.path, 'out'))
  await expect(write(repository, { 'out/a.md': 'x\n' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  symlinkSync(join(outside, 'b.md'), join(repository.path, 'b.md'))
  await expect(write(repository, { 'b.md': 'x\n' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  writeFileSync(join(outside, 'c.md'), 'theirs\n')
  expect([...(await repository.files()).keys()]).toEqual(['.gitignore'])
  expect(readdirSync(outside)).toEqual(['c.md'])
})

it('lists commits newest first, of one file, and not more than wanted', async () => {
  const repository = await newRepository()
  for (const name of ['a', 'b', 'a', 'd/c', 'a']) {
    await write(
      repository,
      { [`${name}.md`]: `${await repository.log().then((log) => log.length)}\n` },
      { by: 'agent', summary: name },
    )
  }
  const names = async (options: Parameters<typeof repository.log>[0]) =>
    (await repository.log(options)).map(({ cause }) => cause.summary)
  expect(await names({ limit: 2 })).toEqual(['a', 'd/c'])
  expect(await names({ path: 'a.md' })).toEqual(['a', 'a', 'a'])
  expect(await names({ path: 'd/c.md' })).toEqual(['d/c'])
  expect(await names({ path: 'a.md', limit: 1 })).toEqual(['a'])
  expect(await names({ path: 'none.md' })).toEqual([])
  expect(await names({ limit: 0 })).toEqual([])
})

it('finds a commit by the beginning of its id, and says when there is none or more than one', async () => {
  const repository = await newRepository()
  const commits = []
  for (let number = 0; number < 3; number++) commits.push(await write(repository, { 'a.md': `${number}\n` }))
  const id = commits[1]?.id ?? ''
  expect((await repository.find(id.slice(0, 10))).id).toBe(id)
  expect((await repository.find(id.toUpperCase())).id).toBe(id)
  for (const none of ['beef'.repeat(10), 'HEAD', '', 'abc']) {
    await expect(repository.find(none)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }
  await expect(repository.at('none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('refuses to undo what was changed since, with the names, and the first commit', async () => {
  const repository = await newRepository()
  const first = await write(repository, { 'a.md': 'one\n', 'b.md': 'one\n', 'c.md': 'one\n' })
  await write(repository, { 'a.md': 'two\n', 'c.md': undefined })
  await expect(repository.undo(first?.id ?? '')).rejects.toThrow('a.md, c.md changed since')
  const log = await repository.log()
  await expect(repository.undo(log.at(-1)?.id ?? '')).rejects.toThrow('is the first one')
  expect(diskFiles(repository.path)).toEqual(
    new Map([
      ['a.md', 'two\n'],
      ['b.md', 'one\n'],
    ]),
  )
})

it('undoes a hand edit, and refuses when another came on top', async () => {
  const repository = await newRepository()
  await write(repository, { 'a.md': 'one\n' })
  writeFileSync(join(repository.path, 'a.md'), 'two\n')
  const { commit } = await repository.snapshot()
  writeFileSync(join(repository.path, 'a.md'), 'three\n')
  await expect(repository.undo(commit)).rejects.toThrow('a.md changed since')
  writeFileSync(join(repository.path, 'a.md'), 'two\n')
  await repository.undo(commit)
  expect((await repository.files()).get('a.md')).toBe('one\n')
})

it('blames each line on the commit that brought it', async () => {
  const repository = await newRepository()
  await write(repository, { 'a.md': 'one\ntwo\nthree\n' }, { by: 'agent', summary: 'first' })
  await write(repository, { 'b.md': 'other\n' })
  await write(repository, { 'a.md': 'zero\none\nTWO\nthree\n' }, { by: 'dream', summary: 'second' })
  writeFileSync(join(repository.path, 'a.md'), 'zero\none\nTWO\nthree\nfour')
  expect((await repository.blame('a.md')).map(({ text, commit }) => `${text}: ${commit.cause.by}`)).toEqual([
    'zero: dream',
    'one: agent',
    'TWO: dream',
    'three: agent',
    'four: hand',
  ])
  await expect(repository.blame('none.md')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('loses no change of many that are asked for at once in one process', async () => {
  const repository = await newRepository()
  const other = await openRepository({ path: repository.path, now: () => NOON })
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      (index % 2 ? repository : other).change(
        CAUSE,
        ({ files }) => new Map([['a.md', `${files.get('a.md') ?? ''}${index}\n`]]),
      ),
    ),
  )
  const lines = (await repository.files()).get('a.md')?.trim().split('\n') ?? []
  expect(lines.map(Number).sort((left, right) => left - right)).toEqual(Array.from({ length: 12 }, (_, index) => index))
})

it('refuses a change inside of a change instead of waiting for ever, and lets it read', async () => {
  const repository = await newRepository()
  const nested = repository.change(CAUSE, async () => {
    expect((await repository.files()).size).toBe(1)
    expect((await repository.snapshot()).files.size).toBe(1)
    await write(repository, { 'a.md': 'x\n' })
    return undefined
  })
  await expect(nested).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

it('lets what was begun inside of a change make its own one afterwards', async () => {
  const repository = await newRepository()
  let goOn = () => {}
  let later: Promise<unknown> = Promise.resolve()
  await repository.change(CAUSE, () => {
    later = new Promise<void>((resolve) => {
      goOn = resolve
    }).then(() => write(repository, { 'b.md': 'later\n' }))
    return new Map([['a.md', 'first\n']])
  })
  goOn()
  await later
  expect((await repository.files()).get('b.md')).toBe('later\n')
})

it('waits thirty seconds for another writer, in steps that differ, and then names it', async () => {
  const waits: number[] = []
  let number = 0
  const repository = await newRepository({
    now: () => NOON,
    random: () => (number++ % 10) / 10,
    wait: async (time) => void waits.push(time),
  })
  const lock = await takeLock(join(repository.path, '.nacre', 'lock'), { now: () => NOON, isAlive: () => true })
  const error = await write(repository, { 'a.md': 'x\n' }).catch((each: unknown) => each)
  expect(error).toMatchObject({
    code: 'SESSION_BUSY',
    details: { holder: expect.stringContaining(`process ${process.pid}`) },
  })
  expect(waits.reduce((sum, time) => sum + time, 0)).toBeGreaterThanOrEqual(30_000)
  expect(new Set(waits.slice(-10)).size).toBe(10)
  if (!('holder' in lock)) await lock.release()
  expect(await write(repository, { 'a.md': 'x\n' })).toBeDefined()
})

it('stops waiting when it is told to', async () => {
  const stop = new AbortController()
  const repository = await newRepository({ now: () => NOON, signal: stop.signal })
  await takeLock(join(repository.path, '.nacre', 'lock'), { now: () => NOON, isAlive: () => true })
  const change = write(repository, { 'a.md': 'x\n' })
  stop.abort()
  await expect(change).rejects.toMatchObject({ code: 'ABORTED' })
})
