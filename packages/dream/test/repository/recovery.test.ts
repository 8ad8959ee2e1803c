import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openRepository } from '../../src/repository/repository.js'
import type { Repository } from '../../src/repository/types.js'
import { diskFiles, git, gitProblems, hasGit, newFolder, newRepository, ticking, write } from './test-folder.js'

const BEFORE = { 'a.md': 'old a\n', 'd/b.md': 'old b\n', 'gone.md': 'old\n' }
const AFTER = { 'a.md': 'new a\n', 'd/b.md': 'new b\n', 'gone.md': undefined, 'came.md': 'new\n' }

/** A folder as a kill leaves it: the branch has moved, and no file has followed. */
async function killedAfterTheMove(): Promise<Repository> {
  const repository = await newRepository()
  await write(repository, BEFORE)
  const before = await blobs(repository)
  await write(repository, AFTER)
  const after = await blobs(repository)
  for (const [path, text] of Object.entries(BEFORE)) writeFileSync(join(repository.path, path), text)
  rmSync(join(repository.path, 'came.md'))
  const files = Object.keys(AFTER).map((path) => ({ path, before: before.get(path), after: after.get(path) }))
  writeFileSync(join(repository.path, '.nacre', 'journal.json'), JSON.stringify({ ref: 'refs/heads/main', files }))
  writeFileSync(join(repository.path, '.git', 'index.lock'), 'locked by nacre')
  writeFileSync(join(repository.path, '.git', 'refs', 'heads', 'main.lock'), 'locked by nacre')
  return repository
}

async function blobs(repository: Repository): Promise<Map<string, string>> {
  const id = (text: string) =>
    createHash('sha1')
      .update(`blob ${Buffer.byteLength(text)}\0${text}`)
      .digest('hex')
  return new Map([...(await repository.files())].map(([path, text]) => [path, id(text)]))
}

const done = new Map([
  ['a.md', 'new a\n'],
  ['came.md', 'new\n'],
  ['d/b.md', 'new b\n'],
])

it.each(['files', 'snapshot', 'open', 'change'] as const)('is ended by the next who calls %s', async (how) => {
  const repository = await killedAfterTheMove()
  if (how === 'open') await openRepository({ path: repository.path, now: ticking() })
  else if (how === 'change') await repository.change({ by: 'agent', summary: 'x' }, () => undefined)
  else await repository[how]()
  expect(diskFiles(repository.path)).toEqual(done)
  expect(existsSync(join(repository.path, '.nacre', 'journal.json'))).toBe(false)
  expect(await repository.log()).toHaveLength(3)
  expect(await gitProblems(repository.path)).toBe('')
})

it('leaves a file as it is that a person has edited meanwhile, as an edit by hand', async () => {
  const repository = await killedAfterTheMove()
  writeFileSync(join(repository.path, 'a.md'), 'by hand\n')
  const { commit } = await repository.snapshot()
  expect(diskFiles(repository.path)).toEqual(new Map([...done, ['a.md', 'by hand\n']]))
  expect(await repository.diff(commit)).toEqual([{ path: 'a.md', before: 'new a\n', after: 'by hand\n' }])
  expect(await gitProblems(repository.path)).toBe('')
})

it('goes on where a person has put a file or a link in the place of a folder', async () => {
  const repository = await killedAfterTheMove()
  rmSync(join(repository.path, 'd'), { recursive: true })
  const outside = newFolder()
  writeFileSync(join(outside, 'b.md'), 'old b\n')
  symlinkSync(outside, join(repository.path, 'd'))
  const { files } = await repository.snapshot()
  expect([...files.keys()]).toEqual(['.gitignore', 'a.md', 'came.md'])
  expect(readFileSync(join(outside, 'b.md'), 'utf8')).toBe('old b\n')
})

it.skipIf(!hasGit)('respects what a person has committed on top before it was ended', async () => {
  const repository = await killedAfterTheMove()
  for (const name of ['index.lock', 'refs/heads/main.lock']) rmSync(join(repository.path, '.git', name))
  writeFileSync(join(repository.path, 'a.md'), 'old a\n')
  await git(repository.path, 'commit', '-qm', 'Back to the old a', 'a.md')
  await repository.snapshot()
  expect(diskFiles(repository.path)).toEqual(new Map([...done, ['a.md', 'old a\n']]))
  expect((await repository.log())[0]?.cause).toMatchObject({ by: 'hand', summary: 'Back to the old a' })
  expect(await gitProblems(repository.path)).toBe('')
})

it('forgets a change whose branch has not moved', async () => {
  const repository = await newRepository()
  await write(repository, BEFORE)
  const files = [{ path: 'a.md', before: (await blobs(repository)).get('a.md'), after: 'f'.repeat(40) }]
  writeFileSync(join(repository.path, '.nacre', 'journal.json'), JSON.stringify({ ref: 'refs/heads/main', files }))
  expect((await repository.files()).get('a.md')).toBe('old a\n')
  expect(existsSync(join(repository.path, '.nacre', 'journal.json'))).toBe(false)
})

it('throws a journal away that nobody can read', async () => {
  const repository = await newRepository()
  mkdirSync(join(repository.path, '.nacre'), { recursive: true })
  writeFileSync(join(repository.path, '.nacre', 'journal.json'), '{"ref":')
  await write(repository, BEFORE)
  expect(await gitProblems(repository.path)).toBe('')
})

it('leaves a lock of git alone that is not ours', async () => {
  const repository = await killedAfterTheMove()
  writeFileSync(join(repository.path, '.git', 'index.lock'), 'of git')
  const again = await openRepository({ path: repository.path, now: ticking(), wait: async () => undefined })
  expect(readFileSync(join(repository.path, '.git', 'index.lock'), 'utf8')).toBe('of git')
  rmSync(join(repository.path, '.git', 'index.lock'))
  await write(again, { 'x.md': 'x\n' })
  expect(await gitProblems(repository.path)).toBe('')
})
