import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRepository } from '../../src/repository/repository.js'
import {
  CAUSE,
  diskFiles,
  git,
  gitProblems,
  hasGit,
  listFiles,
  NOON,
  newFolder,
  newRepository,
  ticking,
  write,
} from './test-folder.js'

const subjects = async (repository: { log(): Promise<readonly { cause: { by: string; summary: string } }[]> }) =>
  (await repository.log()).map(({ cause }) => `${cause.by}: ${cause.summary}`)

describe.skipIf(!hasGit)('beside a person who uses git', () => {
  it('shows our commits with their trailers, and reads those of a person as made by hand', async () => {
    const repository = await newRepository()
    await write(
      repository,
      { 'a.md': 'one\n' },
      { by: 'dream', summary: 'Dreamt', session: 's', dollars: 0.5, consent: 'asked' },
    )
    const shown = await git(
      repository.path,
      'log',
      '-1',
      '--format=%an <%ae>%n%(trailers:key=By,valueonly)%(trailers:key=Cost,valueonly)',
    )
    expect(shown.trim().split('\n')).toEqual(['nacre <nacre@localhost>', 'dream', '$0.5000'])
    writeFileSync(join(repository.path, 'a.md'), 'two\n')
    await git(repository.path, 'commit', '-qam', 'My own words\n\nand why')
    const [commit] = await repository.log()
    expect(commit?.cause).toEqual({ by: 'hand', summary: 'My own words', details: ['and why'] })
    await write(repository, { 'a.md': 'three\n' })
    expect(await subjects(repository)).toEqual([
      'agent: Noted something',
      'hand: My own words',
      'dream: Dreamt',
      'import: Begin the memory folder',
    ])
    expect(await gitProblems(repository.path)).toBe('')
  })

  it('goes on after gc, with packs and packed refs', async () => {
    const repository = await newRepository()
    const commit = await write(repository, { 'a.md': 'one\n', 'b/c.md': 'two\n' })
    await write(repository, { 'a.md': 'two\n' })
    await git(repository.path, 'gc', '-q', '--prune=now')
    expect(existsSync(join(repository.path, '.git', 'refs', 'heads', 'main'))).toBe(false)
    await write(repository, { 'a.md': 'three\n' })
    await git(repository.path, 'gc', '-q', '--prune=now', '--aggressive')
    for (const again of [repository, await openRepository({ path: repository.path, now: ticking() })]) {
      expect((await again.at(commit?.id ?? '')).get('b/c.md')).toBe('two\n')
      await again.undo((await again.log())[0]?.id ?? '')
      expect((await again.files()).get('a.md')).toBe(again === repository ? 'two\n' : 'three\n')
    }
    expect(await gitProblems(repository.path)).toBe('')
  })

  it('goes on after an amended commit, and after another branch was checked out and left', async () => {
    const repository = await newRepository()
    await write(repository, { 'a.md': 'one\n' })
    writeFileSync(join(repository.path, 'a.md'), 'amended\n')
    await git(repository.path, 'commit', '-qa', '--amend', '-m', 'Amended')
    await write(repository, { 'b.md': 'new\n' })
    await git(repository.path, 'checkout', '-qb', 'other')
    await write(repository, { 'c.md': 'only there\n' })
    await git(repository.path, 'checkout', '-q', 'main')
    expect(diskFiles(repository.path)).toEqual(
      new Map([
        ['a.md', 'amended\n'],
        ['b.md', 'new\n'],
      ]),
    )
    await write(repository, { 'd.md': 'here\n' })
    expect(await subjects(repository)).toEqual([
      'agent: Noted something',
      'agent: Noted something',
      'hand: Amended',
      'import: Begin the memory folder',
    ])
    await git(repository.path, 'merge', '-q', '--no-edit', 'other')
    expect((await repository.snapshot()).files.get('c.md')).toBe('only there\n')
    expect(await repository.log()).toHaveLength(6)
    expect((await repository.log({ path: 'c.md' })).map(({ cause }) => cause.summary)).toEqual(['Noted something'])
    const [merge] = await repository.log()
    await expect(repository.undo(merge?.id ?? '')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect((await repository.blame('c.md')).map(({ commit }) => commit.cause.by)).toEqual(['agent'])
    expect(await gitProblems(repository.path)).toBe('')
  })

  it('writes nothing while an old commit is checked out or a merge goes on, and says what to do', async () => {
    const repository = await newRepository()
    await write(repository, { 'a.md': 'one\n' })
    await git(repository.path, 'checkout', '-q', 'HEAD~1')
    await expect(write(repository, { 'a.md': 'two\n' })).rejects.toThrow('Run `git checkout main` there')
    expect((await repository.files()).has('a.md')).toBe(false)
    await git(repository.path, 'checkout', '-q', 'main')
    await git(repository.path, 'checkout', '-qb', 'other')
    await write(repository, { 'a.md': 'theirs\n' })
    await git(repository.path, 'checkout', '-q', 'main')
    await write(repository, { 'a.md': 'ours\n' })
    await git(repository.path, 'merge', '-q', 'other').catch(() => undefined)
    await expect(write(repository, { 'b.md': 'two\n' })).rejects.toThrow('A git merge is going on')
    await git(repository.path, 'merge', '--abort')
    await write(repository, { 'b.md': 'two\n' })
    expect(await gitProblems(repository.path)).toBe('')
  })

  it('leaves alone what a person has committed and is no text', async () => {
    const repository = await newRepository()
    writeFileSync(join(repository.path, 'photo.png'), Buffer.from([0, 1, 2]))
    writeFileSync(join(repository.path, 'list.txt'), 'text of a person\n')
    symlinkSync('list.txt', join(repository.path, 'link.md'))
    await git(repository.path, 'add', '.')
    await git(repository.path, 'commit', '-qm', 'Photo')
    const commit = (await repository.log())[0]
    await write(repository, { 'a.md': 'one\n' })
    expect([...(await repository.files()).keys()]).toEqual(['.gitignore', 'a.md', 'list.txt'])
    expect(await git(repository.path, 'ls-files')).toBe('.gitignore\na.md\nlink.md\nlist.txt\nphoto.png\n')
    await expect(repository.undo(commit?.id ?? '')).rejects.toThrow('link.md, photo.png is no text')
    rmSync(join(repository.path, 'photo.png'))
    await write(repository, { 'a.md': 'two\n' })
    expect(await git(repository.path, 'status', '--porcelain')).toBe(' D photo.png\n')
  })

  it('keeps what a person has staged and not committed', async () => {
    const repository = await newRepository()
    writeFileSync(join(repository.path, 'note.txt'), 'staged\n')
    await git(repository.path, 'add', 'note.txt')
    await write(repository, { 'a.md': 'one\n' })
    expect(await git(repository.path, 'status', '--porcelain')).toBe('A  note.txt\n')
  })

  it('changes a folder while git looks at it', async () => {
    const repository = await newRepository()
    let isDone = false
    const looks = (async () => {
      for (; !isDone; ) await git(repository.path, 'status', '--porcelain')
    })()
    for (let number = 0; number < 8; number++)
      await write(repository, { 'a.md': `${number}\n`, [`b${number}.md`]: 'x\n' })
    isDone = true
    await looks
    await write(repository, { 'end.md': 'x\n' })
    expect(await gitProblems(repository.path)).toBe('')
  })

  it('takes part in the locks of git', async () => {
    const waited: number[] = []
    const repository = await newRepository({ wait: async (time) => void waited.push(time) })
    await write(repository, { 'a.md': 'one\n' })
    const index = join(repository.path, '.git', 'index.lock')
    writeFileSync(index, '')
    await write(repository, { 'a.md': 'two\n' })
    expect(waited.reduce((sum, time) => sum + time, 0)).toBe(2_000)
    expect(readFileSync(index, 'utf8')).toBe('')
    rmSync(index)
    // The index was out of reach then: the next change makes up for it.
    await write(repository, { 'b.md': 'two\n' })
    expect(await gitProblems(repository.path)).toBe('')
    writeFileSync(join(repository.path, '.git', 'refs', 'heads', 'main.lock'), '')
    await expect(write(repository, { 'a.md': 'three\n' })).rejects.toMatchObject({ code: 'STORE_UNWRITABLE' })
    rmSync(join(repository.path, '.git', 'refs', 'heads', 'main.lock'))
    expect((await repository.files()).get('a.md')).toBe('two\n')
    expect(await gitProblems(repository.path)).toBe('')
  })

  it('takes over a repository that a person has made, with files in it', async () => {
    const path = newFolder()
    await git(path, 'init', '-q', '-b', 'trunk')
    writeFileSync(join(path, 'a.md'), 'mine\n')
    const repository = await newRepository({ path })
    await repository.snapshot()
    expect(await subjects(repository)).toEqual(['hand: Edited by hand: a.md', 'import: Begin the memory folder'])
    expect(await git(path, 'branch', '--show-current')).toBe('trunk\n')
    expect(await gitProblems(path)).toBe('')
  })

  it('sorts names as git does, and takes those of all scripts', async () => {
    const repository = await newRepository()
    const names = ['\u{1f600}.md', '\uff01.md', 'a.md', 'a/b.md', 'a-b.md', 'Ärger.md', '日本/語.md']
    await write(repository, Object.fromEntries(names.map((name) => [name, 'x\n'])))
    expect(new Set((await repository.files()).keys())).toEqual(new Set(['.gitignore', ...names]))
    expect(await gitProblems(repository.path)).toBe('')
  })

  it('names the commits that an ambiguous id may mean, in a long history', async () => {
    const repository = await newRepository({ now: () => NOON })
    const commits = Array.from({ length: 1_200 }, (_, index) => {
      const from = index === 0 ? 'from refs/heads/main^0\n' : ''
      return `commit refs/heads/main\ncommitter Ann <ann@example.com> ${1_800_000_000 + index} +0000\ndata 1\nx\n${from}\n`
    })
    execFileSync('git', ['fast-import', '--quiet'], { cwd: repository.path, input: commits.join('') })
    const ids = (await repository.log()).map(({ id }) => id.slice(0, 4))
    const shared = ids.find((id, index) => ids.indexOf(id) !== index) ?? ''
    await expect(repository.find(shared)).rejects.toThrow(
      new RegExp(`^"${shared}" is the beginning of ${shared}\\w+, `),
    )
    expect(await repository.log()).toHaveLength(1_201)
  })

  it('reads an index of another version, and makes a damaged one anew', async () => {
    const repository = await newRepository()
    await write(repository, { 'a.md': 'one\n' })
    await git(repository.path, 'update-index', '--index-version=4')
    await write(repository, { 'a.md': 'two\n' })
    expect(await gitProblems(repository.path)).toBe('')
    writeFileSync(join(repository.path, '.git', 'index'), 'DIRC')
    await write(repository, { 'a.md': 'three\n' })
    expect(await gitProblems(repository.path)).toBe('')
  })
})

it('writes an object anew that was left empty or is old and nobody’s', async () => {
  const repository = await newRepository()
  await write(repository, { 'a.md': 'one\n' })
  const objects = listFiles(repository.path).filter((path) => path.includes('objects'))
  await write(repository, { 'b.md': 'later\n' })
  const [made] = listFiles(repository.path).filter((path) => path.includes('objects') && !objects.includes(path))
  expect(made).toBeDefined()
  for (const path of listFiles(repository.path).filter((each) => each.includes('objects'))) {
    utimesSync(join(repository.path, path), 0, 0)
  }
  await write(repository, { 'c.md': 'later\n' })
  expect(await gitProblems(repository.path)).toBe('')
})

it('refuses a folder that is the worktree of another repository', async () => {
  const path = newFolder()
  writeFileSync(join(path, '.git'), 'gitdir: elsewhere\n')
  await expect(newRepository({ path })).rejects.toMatchObject({ code: 'STORE_UNWRITABLE' })
})

it('does not look into a repository inside the folder', async () => {
  const repository = await newRepository()
  mkdirSync(join(repository.path, 'inner', '.git'), { recursive: true })
  writeFileSync(join(repository.path, 'inner', 'a.md'), 'theirs\n')
  await write(repository, { 'a.md': 'ours\n' }, CAUSE)
  expect([...(await repository.files()).keys()]).toEqual(['.gitignore', 'a.md'])
})

describe.skipIf(!hasGit)('when git is left in the midst of something', () => {
  it('commits no file in which a person has to choose between versions', async () => {
    const repository = await newRepository()
    await write(repository, { 'a.md': 'one\n' })
    writeFileSync(join(repository.path, 'a.md'), 'stashed\n')
    await git(repository.path, 'stash', '-q')
    await write(repository, { 'a.md': 'two\n' })
    await git(repository.path, 'stash', 'pop', '-q').catch(() => undefined)
    await expect(write(repository, { 'b.md': 'x\n' })).rejects.toThrow('choice between versions')
    writeFileSync(join(repository.path, 'a.md'), 'chosen\n')
    await git(repository.path, 'add', 'a.md')
    await write(repository, { 'b.md': 'x\n' })
    expect(await gitProblems(repository.path)).toBe('')
  })

  it('does not begin anew where a history has lost its branch', async () => {
    const repository = await newRepository()
    await write(repository, { 'a.md': 'one\n' })
    rmSync(join(repository.path, '.git', 'refs', 'heads', 'main'))
    await expect(repository.snapshot()).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    await expect(openRepository({ path: repository.path })).rejects.toThrow('git fsck --lost-found')
  })
})

it.skipIf(process.getuid?.() === 0)('says what to do where it may not write', async () => {
  const repository = await newRepository()
  chmodSync(join(repository.path, '.git', 'objects'), 0o500)
  await expect(write(repository, { 'a.md': 'one\n' })).rejects.toMatchObject({ code: 'STORE_UNWRITABLE' })
  chmodSync(join(repository.path, '.git', 'objects'), 0o700)
  expect(await write(repository, { 'a.md': 'one\n' })).toBeDefined()
})
