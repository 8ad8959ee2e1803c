import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openRepository } from '../../src/folder/repository.js'
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
