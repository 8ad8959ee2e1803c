import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { type InstructionsOptions, loadInstructions } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** A machine with a managed folder, a home, and a repository whose working directory is two folders down. */
async function machine(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  const at = (path: string) => join(folder, path)
  for (const [path, text] of Object.entries({ 'repo/.git/HEAD': '', 'repo/packages/app/main.ts': '', ...files })) {
    await mkdir(dirname(at(path)), { recursive: true })
    await writeFile(at(path), text)
  }
  const options = { managed: at('managed'), home: at('home') }
  return {
    at,
    load: (more: InstructionsOptions = {}) => loadInstructions(at('repo/packages/app'), { ...options, ...more }),
    paths: async (more: InstructionsOptions = {}) =>
      (await loadInstructions(at('repo/packages/app'), { ...options, ...more })).map(({ path }) =>
        path.slice(folder.length + 1),
      ),
  }
}

it('goes from the general to the particular, and looks no further up than the repository', async () => {
  const { load } = await machine({
    'AGENTS.md': 'above',
    'managed/AGENTS.md': 'managed',
    'home/.claude/CLAUDE.md': 'mine, shared',
    'home/.nacre/NACRE.md': 'mine',
    'repo/NACRE.md': 'root 3',
    'repo/AGENTS.md': 'root 1',
    'repo/CLAUDE.md': 'root 2',
    'repo/packages/AGENTS.md': 'packages',
    'repo/packages/app/AGENTS.md': 'app',
    'repo/packages/app/lib/AGENTS.md': 'below',
    'repo/CLAUDE.local.md': 'root, local',
    'repo/packages/app/AGENTS.local.md': 'app, local',
  })
  expect((await load()).map(({ kind, text }) => [kind, text])).toEqual([
    ['managed', 'managed'],
    ['user', 'mine, shared'],
    ['user', 'mine'],
    ['project', 'root 1'],
    ['project', 'root 2'],
    ['project', 'root 3'],
    ['project', 'packages'],
    ['project', 'app'],
    ['local', 'root, local'],
    ['local', 'app, local'],
  ])
})

it('takes a file once that has two names, and none that is empty, binary or a folder', async () => {
  const { at, paths } = await machine({
    'repo/AGENTS.md': 'one',
    'repo/packages/AGENTS.md': ' \n',
    'repo/packages/NACRE.md/inside.txt': '',
    'repo/packages/app/AGENTS.md': '\0\x01\x02\0\0',
  })
  await symlink('AGENTS.md', at('repo/CLAUDE.md'))
  expect(await paths()).toEqual(['repo/AGENTS.md'])
})

it('follows imports, each file behind the one that imports it', async () => {
  const { load, at } = await machine({
    'repo/AGENTS.md': 'See @docs/style.md, and (@./docs/tests.md). Mail me@example.com about @nobody or @nacre/core.',
    'repo/docs/style.md': 'Style. @naming.md.',
    'repo/docs/naming.md': 'Names.',
    'repo/docs/tests.md': 'Tests.',
    'repo/packages/app/AGENTS.md': 'App.',
  })
  const files = await load()
  expect(files.map(({ path }) => basename(path))).toEqual([
    'AGENTS.md',
    'style.md',
    'naming.md',
    'tests.md',
    'AGENTS.md',
  ])
  expect(files[2]?.importedBy).toBe(at('repo/docs/style.md'))
})

it('ends in circles of imports, and five imports deep', async () => {
  const chain = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`repo/${n}.md`, `${n} @${n + 1}.md @0.md`]))
  const { paths } = await machine({ 'repo/AGENTS.md': '@0.md @AGENTS.md', ...chain })
  expect(await paths()).toEqual(['repo/AGENTS.md', ...[0, 1, 2, 3, 4].map((n) => `repo/${n}.md`)])
})

it('imports nothing by what stands in code or in comments', async () => {
  const text = [
    '```sh',
    'cat @a.md',
    '```',
    '~~~~ts',
    "import '@a.md'",
    '~~~',
    '@a.md',
    '~~~~',
    'Use `@a.md` and ``a ` @a.md`` but not <!-- @a.md -->.',
    'Really: @b\\ c.md',
  ].join('\n')
  const { paths } = await machine({ 'repo/AGENTS.md': text, 'repo/a.md': 'a', 'repo/b c.md': 'b' })
  expect(await paths()).toEqual(['repo/AGENTS.md', 'repo/b c.md'])
})

it('lets a project import nothing from outside of it, also not by a link, unless that is allowed', async () => {
  const { at, paths } = await machine({
    'home/secret.md': 'secret',
    'home/.nacre/NACRE.md': 'Mine. @~/secret2.md',
    'home/secret2.md': 'mine too',
    'repo/AGENTS.md': '@~/secret.md @../home/secret.md @link.md',
  })
  await symlink(at('home/secret.md'), at('repo/link.md'))
  await symlink(at('home/secret.md'), at('repo/CLAUDE.md'))
  const own = ['home/.nacre/NACRE.md', 'home/secret2.md', 'repo/AGENTS.md']
  expect(await paths()).toEqual(own)
  expect(await paths({ importsAnywhere: true })).toEqual([...own, 'home/secret.md'])
})

it('cuts a file that is very long, and says so', async () => {
  const { load } = await machine({ 'repo/AGENTS.md': 'word '.repeat(20_000) })
  const [file] = await load()
  expect(file?.text.length).toBeLessThan(41_000)
  expect(file?.text).toMatch(/\[Cut: the file has 100000 characters/)
})

it('begins at the folder it is told to, and at the working directory outside of a repository', async () => {
  const files = {
    'repo/AGENTS.md': 'repo',
    'repo/packages/AGENTS.md': 'packages',
    'repo/packages/app/AGENTS.md': 'app',
  }
  const { at, paths } = await machine(files)
  expect(await paths({ root: at('repo/packages') })).toEqual(['repo/packages/AGENTS.md', 'repo/packages/app/AGENTS.md'])
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'AGENTS.md'), 'here')
  const found = await loadInstructions(folder, { managed: at('none'), home: at('none') })
  expect(found.map(({ path }) => path)).toEqual([join(folder, 'AGENTS.md')])
})

it.each([
  ['comments without end', '<!-- '.repeat(200_000)],
  ['code without end', Array.from({ length: 1_400 }, (_, index) => '`'.repeat(index + 1)).join(' ')],
  ['a path without end', `@a${'.'.repeat(1_000_000)}x`],
])('reads a file with %s in no time', async (_what, text) => {
  const { paths } = await machine({ 'repo/AGENTS.md': text })
  expect(await paths()).toEqual(['repo/AGENTS.md'])
})

it('imports nothing from what is cut off, and cuts no character in two', async () => {
  const { load } = await machine({ 'repo/AGENTS.md': `${'x'.repeat(39_999)}😀 @more.md`, 'repo/more.md': 'more' })
  const files = await load()
  expect(files).toHaveLength(1)
  expect(files[0]?.text).toMatch(/x\n\[Cut: /)
})

it.skipIf(process.platform === 'win32')(
  'neither waits for a pipe nor reads 60 MB, and says so in their place',
  async () => {
    const { at, load } = await machine({ 'repo/CLAUDE.md': 'x'.repeat(60_000_000), 'repo/NACRE.md': 'Be kind.' })
    execFileSync('mkfifo', [at('repo/AGENTS.md')])
    expect((await load()).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^\[These instructions were not read\. .*AGENTS\.md is not a regular file but a pipe/),
      expect.stringMatching(
        /^\[These instructions were not read\. .*CLAUDE\.md has 57 MB, and at most 1 MB can be read/,
      ),
      'Be kind.',
    ])
  },
)
