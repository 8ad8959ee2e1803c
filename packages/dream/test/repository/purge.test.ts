import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createTextFilter } from '../../src/repository/purge-text.js'
import { diskFiles, git, gitProblems, hasGit, listFiles, newRepository, write } from './test-folder.js'

/** The files, and the objects once they are inflated, that hold a text. */
function holders(folder: string, text: string): string[] {
  return listFiles(folder).filter((path) => {
    const data = readFileSync(join(folder, path))
    const isObject = /objects\/..\/[0-9a-f]{38}$/.test(path)
    return data.includes(text) || (isObject && inflateSync(data).includes(text))
  })
}

it('takes files and lines out of the whole history, and leaves the rest of it as it was', async () => {
  const repository = await newRepository()
  await write(repository, { 'secret.md': 'hunter2\n', 'a.md': 'one\nthe word is hunter2, keep it\ntwo\n' })
  await write(repository, { 'a.md': 'one\ntwo\nthree\n' }, { by: 'dream', summary: 'Took hunter2 out', session: 's-1' })
  await write(
    repository,
    { 'b.md': 'hunter2 again\nrest\n' },
    { by: 'agent', summary: 'Wrote', details: ['b.md: has hunter2', 'fine'] },
  )
  const before = await repository.log()
  await repository.purge({ paths: ['secret.md'], texts: ['hunter2'] })
  expect(holders(repository.path, 'hunter2')).toEqual([])
  expect(holders(repository.path, 'secret.md')).toEqual([])
  expect(diskFiles(repository.path)).toEqual(
    new Map([
      ['a.md', 'one\ntwo\nthree\n'],
      ['b.md', 'rest\n'],
    ]),
  )
  const after = await repository.log()
  expect(after.map(({ time, cause }) => [time, cause])).toEqual([
    [before[0]?.time, { by: 'agent', summary: 'Wrote', details: ['[purged]', 'fine'] }],
    [before[1]?.time, { by: 'dream', summary: '[purged]', session: 's-1' }],
    [before[2]?.time, before[2]?.cause],
    [before[3]?.time, before[3]?.cause],
  ])
  // What held nothing of it is the same commit as before.
  expect(after[3]?.id).toBe(before[3]?.id)
  expect(await repository.diff(after[2]?.id ?? '')).toEqual([{ path: 'a.md', after: 'one\ntwo\n' }])
  expect(await gitProblems(repository.path)).toBe('')
  await write(repository, { 'c.md': 'goes on\n' })
  await repository.undo(after[0]?.id ?? '')
  expect(await gitProblems(repository.path)).toBe('')
})

it('purges what was edited by hand and is in no commit yet', async () => {
  const repository = await newRepository()
  writeFileSync(join(repository.path, 'a.md'), 'keep\nhunter2\n')
  await repository.purge({ paths: [], texts: ['hunter2'] })
  expect(holders(repository.path, 'hunter2')).toEqual([])
  expect(readFileSync(join(repository.path, 'a.md'), 'utf8')).toBe('keep\n')
})

it.skipIf(!hasGit)('also purges packs, other branches, tags, the stash and what git remembers', async () => {
  const repository = await newRepository()
  const { path } = repository
  await write(repository, { 'a.md': 'one\nhunter2\n' })
  await git(path, 'tag', '-a', '-m', 'Tagged hunter2\nfine', 'v1')
  await git(path, 'checkout', '-qb', 'topic/x')
  writeFileSync(join(path, 'a.md'), 'one\nhunter2 here\n')
  writeFileSync(join(path, 'data.bin'), Buffer.concat([Buffer.from([0]), Buffer.from('hunter2')]))
  await git(path, 'add', '.')
  await git(path, 'commit', '-qm', 'About hunter2')
  await git(path, 'checkout', '-q', 'main')
  writeFileSync(join(path, 'a.md'), 'one\nhunter2 stashed\n')
  await git(path, 'stash', '-q')
  await git(path, 'reset', '-q', '--hard', 'HEAD')
  await git(path, 'gc', '-q')
  await git(path, 'config', 'user.nickname', 'Ann')
  await repository.purge({ paths: [], texts: ['hunter2'] })
  expect(holders(path, 'hunter2')).toEqual([])
  expect(await git(path, 'log', '--all', '-p', '--format=%B')).not.toContain('hunter2')
  expect(await git(path, 'branch', '--format=%(refname:short)')).toBe('main\ntopic/x\n')
  expect(await git(path, 'tag', '-n9')).toContain('[purged]')
  expect(await git(path, 'ls-tree', '--name-only', 'topic/x')).toBe('.gitignore\na.md\n')
  expect(await git(path, 'config', 'user.nickname')).toBe('Ann\n')
  expect(await git(path, 'stash', 'list')).toBe('')
  for (const gone of ['logs', 'ORIG_HEAD', 'FETCH_HEAD', 'COMMIT_EDITMSG', 'packed-refs']) {
    expect(existsSync(join(path, '.git', gone))).toBe(false)
  }
  expect(await git(path, 'fsck', '--strict', '--unreachable', '--no-progress')).toBe('')
  expect(await gitProblems(path)).toBe('')
  await git(path, 'gc', '-q')
  await write(repository, { 'b.md': 'goes on\n' })
  expect(await gitProblems(path)).toBe('')
})

it.skipIf(!hasGit)('refuses while another worktree reads from the repository', async () => {
  const repository = await newRepository()
  await git(repository.path, 'worktree', 'add', '-q', '-b', 'other', join(repository.path, '..', 'other'))
  await expect(repository.purge({ paths: [], texts: ['x'] })).rejects.toThrow('.git/worktrees')
})

it('refuses an empty text', async () => {
  const repository = await newRepository()
  await expect(repository.purge({ paths: [], texts: [' \n'] })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

describe('a text that is purged', () => {
  const cleaned = (texts: readonly string[], file: string) =>
    Buffer.from(createTextFilter(texts, []).cleanFile(Buffer.from(file)) ?? 'dropped').toString()

  it.each([
    ['as it is', 'a b', 'x\nsay a b now\ny', 'x\ny'],
    ['with other white space', 'a b', 'x\na  \t b\ny', 'x\ny'],
    ['over several lines', 'a b c', 'x\na b\n  c\ny', 'x\ny'],
    ['quoted in Markdown', 'a b c', 'x\n> a b\n> c\ny', 'x\ny'],
    ['of several lines', 'a\nb', '{"t":"a\\nb"}\ny', 'y'],
    ['with quotes, in JSON', 'say "hi"', '{"t":"say \\"hi\\""}\ny', 'y'],
    ['with a letter that JSON escapes', 'Ärger', '{"t":"\\u00c4rger"}\ny', 'y'],
    ['with an emoji that JSON escapes', 'x\u{1f600}', '"x\\ud83d\\ude00"\ny', 'y'],
    ['with a backslash, in JSON', 'C:\\new', '"C:\\\\new"\ny', 'y'],
    ['with a backslash, as it is', 'C:\\new', 'C:\\new\ny', 'y'],
    ['in JSON in JSON', 'say "hi"', '"{\\"t\\":\\"say \\\\\\"hi\\\\\\"\\"}"\ny', 'y'],
    ['in single quotes of YAML', "it's", "t: 'it''s'\ny", 'y'],
    ['folded in double quotes of YAML', 'one two three', 't: "one two \\\n  three"\ny', 'y'],
    ['folded in YAML', 'one two three', 't: >-\n  one two\n  three\ny', 't: >-\ny'],
    ['with combined letters', 'é'.normalize('NFC'), `${'é'.normalize('NFD')}\ny`, 'y'],
    ['that other lines make up once one is gone', 'a b', 'a\na b\nb\ny', 'y'],
    ['with Windows line ends', 'a b', 'x\r\na b\r\ny\r\n', 'x\r\ny\r\n'],
    ['that is not there', 'a b', 'ab\n', 'ab\n'],
  ])('is found %s', (_, text, file, rest) => {
    expect(cleaned([text], file)).toBe(rest)
  })

  it('takes a file along that is no text', () => {
    const filter = createTextFilter(['a b'], [])
    expect(filter.cleanFile(Buffer.from([0xff, 0, ...Buffer.from('a b')]))).toBeUndefined()
    expect(filter.cleanFile(Buffer.from([0xff, 0]))).toEqual(Buffer.from([0xff, 0]))
  })

  it('leaves the trailers of a message that say who, for how much and by which right', () => {
    const { cleanMessage } = createTextFilter(['dream', 's-1'], ['a.md'])
    const message = 'Put it into a.md\n\nmy dream\n\nBy: dream\nSession: s-1\nCost: $1.0000\n'
    expect(cleanMessage(message)).toBe('Put it into [purged]\n\n[purged]\n\nBy: dream\nCost: $1.0000\n')
  })
})
