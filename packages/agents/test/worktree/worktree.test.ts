import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { addWorktree, changesIn, overlaps, settleWorktree } from '../../src/worktree/worktree.js'
import { put, temporaryFolder } from '../definitions/temporary-folder.js'

const isWindows = process.platform === 'win32'
const WHO = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false']

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', [...WHO, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

function commit(cwd: string): string {
  git(cwd, 'add', '-A')
  git(cwd, 'commit', '-q', '--allow-empty', '-m', 'A step')
  return git(cwd, 'rev-parse', 'HEAD')
}

/** A repository with one commit, and a folder for worktrees beside it. */
async function repository() {
  const above = await temporaryFolder()
  const root = join(above, 'shop')
  await put(root, 'README.md', 'The shop.\n')
  await put(root, 'src/cart.ts', 'export {}\n')
  await put(root, '.gitignore', 'dist/\n')
  git(root, 'init', '-q', '-b', 'main')
  return { above, root, head: commit(root), folder: join(above, 'trees') }
}

async function tree(name = 'reviewer') {
  const { root, folder, head } = await repository()
  const { leftOut: _, ...worktree } = await addWorktree({ cwd: root, folder, name })
  return { root, folder, head, worktree, path: worktree.path }
}

function branches(root: string): string[] {
  return git(root, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')
}

describe('a new worktree', () => {
  it('lies in the folder, on a branch of its own, with what is committed', async () => {
    const { root, folder, head } = await repository()
    const worktree = await addWorktree({ cwd: join(root, 'src'), folder, name: 'reviewer' })
    expect(worktree).toEqual({
      path: join(folder, 'reviewer'),
      branch: expect.stringMatching(/^nacre\/reviewer-[0-9a-f]{6}$/),
      base: head,
      root,
      leftOut: [],
    })
    expect(await readdir(worktree.path)).toEqual(['.git', '.gitignore', 'README.md', 'src'])
    expect(git(worktree.path, 'branch', '--show-current')).toBe(worktree.branch)
    expect(git(root, 'branch', '--show-current')).toBe('main')
  })

  it('says what is changed in the main tree and not in it', async () => {
    const { root, folder } = await repository()
    await put(root, 'README.md', 'Changed.\n')
    await put(root, 'new/with space.ts', '')
    await put(root, 'new/größe 😀.ts', '')
    await put(root, 'dist/out.js', 'ignored')
    git(root, 'mv', 'src/cart.ts', 'src/basket.ts')
    git(root, 'config', 'status.showUntrackedFiles', 'no')
    git(root, 'config', 'status.renames', 'true')
    const { leftOut } = await addWorktree({ cwd: root, folder, name: 'a' })
    expect(leftOut).toEqual(['README.md', 'new/größe 😀.ts', 'new/with space.ts', 'src/basket.ts', 'src/cart.ts'])
  })

  it('takes any name, and one that is taken too', async () => {
    const { root, folder } = await repository()
    const names = ['team:Code Reviewer', '../../up', '--force', '', 'größe', 'a.lock', 'x'.repeat(300)]
    for (const name of [...names, 'same', 'same']) {
      const { path, branch } = await addWorktree({ cwd: root, folder, name })
      expect(path.startsWith(join(folder, '/'))).toBe(true)
      expect(branches(root)).toContain(branch)
    }
    const made = await readdir(folder)
    expect(made).toHaveLength(9)
    expect(made.every((name) => /^\w[\w-]{0,60}$/.test(name))).toBe(true)
    expect(made).toContain('team-Code-Reviewer')
  })

  it('is made many times at once', async () => {
    const { root, folder } = await repository()
    const made = await Promise.all(Array.from({ length: 8 }, () => addWorktree({ cwd: root, folder, name: 'a' })))
    expect(new Set(made.map(({ path }) => path)).size).toBe(8)
    const settled = await Promise.all(made.map(settleWorktree))
    expect(settled.every(({ isKept }) => !isKept)).toBe(true)
    expect(branches(root)).toEqual(['main'])
  })

  it('counts for nothing in the main tree where it lies in it', async () => {
    const { root } = await repository()
    const worktree = await addWorktree({ cwd: root, folder: '.nacre/worktrees', name: 'a' })
    expect(worktree.path).toBe(join(root, '.nacre', 'worktrees', 'a'))
    expect(git(root, 'status', '--porcelain')).toBe('')
    const other = await addWorktree({ cwd: root, folder: '.nacre/worktrees', name: 'b' })
    expect(other.leftOut).toEqual([])
    const inner = await addWorktree({ cwd: worktree.path, folder: join(root, '.nacre/worktrees'), name: 'c' })
    expect(inner.root).toBe(worktree.path)
  })

  it.skipIf(isWindows)('may come from a folder with a break in its name', async () => {
    const above = await temporaryFolder()
    const root = join(above, 'odd\n name')
    await put(root, 'a', '')
    git(root, 'init', '-q')
    commit(root)
    const worktree = await addWorktree({ cwd: root, folder: join(above, 'my trees'), name: 'a' })
    expect(worktree.root).toBe(root)
    expect(await settleWorktree(worktree)).toMatchObject({ isKept: false })
  })

  it.skipIf(isWindows)('runs no hook of the project', async () => {
    const { root, folder, above } = await repository()
    const hooks = join(root, '.git', 'hooks')
    await mkdir(hooks, { recursive: true })
    for (const name of ['post-checkout', 'reference-transaction', 'fsmonitor', 'post-index-change']) {
      await writeFile(join(hooks, name), `#!/bin/sh\ntouch "${above}/ran-${name}"\n`)
      await chmod(join(hooks, name), 0o755)
    }
    git(root, 'config', 'core.fsmonitor', join(hooks, 'fsmonitor'))
    const worktree = await addWorktree({ cwd: root, folder, name: 'a' })
    await settleWorktree(worktree)
    expect((await readdir(above)).filter((name) => name.startsWith('ran-'))).toEqual([])
  })

  it.skipIf(isWindows)('runs no program that the configuration of the project names', async () => {
    const { root, folder, above } = await repository()
    await put(root, '.gitattributes', '*.ts filter=evil=x\n')
    commit(root)
    for (const kind of ['clean', 'smudge', 'process']) {
      git(root, 'config', `filter.evil=x.${kind}`, `touch '${above}/ran-${kind}'; cat`)
    }
    git(root, 'config', 'filter.evil=x.required', 'true')
    await put(root, 'src/cart.ts', 'export const a = 1\n')
    const worktree = await addWorktree({ cwd: root, folder, name: 'a' })
    expect(worktree.leftOut).toEqual(['src/cart.ts'])
    expect(await readFile(join(worktree.path, 'src/cart.ts'), 'utf8')).toBe('export {}\n')
    await settleWorktree(worktree)
    expect((await readdir(above)).filter((name) => name.startsWith('ran-'))).toEqual([])
    git(root, 'config', '--unset', 'filter.evil=x.process')
    git(root, 'add', '.')
    expect((await readdir(above)).filter((name) => name.startsWith('ran-'))).toEqual(['ran-clean'])
  })

  it('is not misled by what a hook of git has set', async () => {
    const [{ root, folder }, other] = [await repository(), await repository()]
    vi.stubEnv('GIT_DIR', join(other.root, '.git'))
    vi.stubEnv('GIT_WORK_TREE', other.root)
    try {
      expect((await addWorktree({ cwd: root, folder, name: 'a' })).root).toBe(root)
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe('without what it needs', () => {
  it('there is none, and the reason says what to do', async () => {
    const empty = await temporaryFolder()
    const add = (cwd: string) => addWorktree({ cwd, folder: join(empty, 'trees'), name: 'a' })
    vi.stubEnv('GIT_CEILING_DIRECTORIES', [empty, join(empty, '..')].join(delimiter))
    try {
      await expect(add(empty)).rejects.toThrow(/is in no git repository\. Run `git init`/)
      await expect(add(join(empty, 'none'))).rejects.toThrow('There is no folder')
      git(empty, 'init', '-q')
      await expect(add(empty)).rejects.toThrow(/has no commit yet\. Commit something first/)
      await expect(add(join(empty, '.git'))).rejects.toThrow('no working tree')
      vi.stubEnv('PATH', join(empty, 'none'))
      await expect(add(empty)).rejects.toThrow(/There is no git here\. Install it/)
    } finally {
      vi.unstubAllEnvs()
    }
    expect(existsSync(join(empty, 'trees'))).toBe(false)
  })

  it('or once it is aborted, nothing is left behind', async () => {
    const { root, folder } = await repository()
    const early = { cwd: root, folder, name: 'a', signal: AbortSignal.abort() }
    await expect(addWorktree(early)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(branches(root)).toEqual(['main'])
    expect(existsSync(folder)).toBe(false)
  })

  it.skipIf(isWindows)('as when it is aborted while git writes its files', async () => {
    const { root, folder, above } = await repository()
    // A filter is a program of the person's own settings. This one tells that it runs, and then waits to be let go.
    const [running, go] = [join(above, 'running'), join(above, 'go')]
    execFileSync('mkfifo', [running, go])
    const own = join(above, 'own.config')
    git(root, 'config', '--file', own, 'filter.slow.smudge', `echo > '${running}'; cat '${go}'`)
    vi.stubEnv('GIT_CONFIG_GLOBAL', own)
    onTestFinished(() => void vi.unstubAllEnvs())
    await put(root, '.gitattributes', '*.ts filter=slow\n')
    commit(root)
    const controller = new AbortController()
    const added = addWorktree({ cwd: root, folder, name: 'a', signal: controller.signal })
    added.catch(() => undefined)
    await readFile(running)
    controller.abort()
    await expect(added).rejects.toMatchObject({ code: 'ABORTED' })
    await (await open(go, 'r+')).close()
    expect(await readdir(folder)).toEqual([])
    expect(branches(root)).toEqual(['main'])
    expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1)
  })

  it('as when git refuses', async () => {
    const { root, folder } = await repository()
    // A branch of this name leaves no room for others below it.
    git(root, 'branch', 'nacre')
    await expect(addWorktree({ cwd: root, folder, name: 'a' })).rejects.toThrow('git worktree failed')
    expect(await readdir(folder)).toEqual([])
  })
})

describe('the changes in a worktree', () => {
  it('are none at first', async () => {
    const { worktree } = await tree()
    expect(await changesIn(worktree)).toEqual({ files: [], commits: 0 })
  })

  it('are those committed, staged, open and untracked, but not the ignored ones', async () => {
    const { worktree, path } = await tree()
    await put(path, 'committed.ts', '')
    commit(path)
    await put(path, 'staged.ts', '')
    git(path, 'add', 'staged.ts')
    await rm(join(path, 'staged.ts'))
    await put(path, 'src/cart.ts', 'changed')
    await rm(join(path, 'README.md'))
    await put(path, 'deep/er/new.ts', '')
    await put(path, 'dist/out.js', '')
    expect(await changesIn(worktree)).toEqual({
      files: ['README.md', 'committed.ts', 'deep/er/new.ts', 'src/cart.ts', 'staged.ts'],
      commits: 1,
    })
  })

  it.skipIf(isWindows)('have names with anything in them', async () => {
    const { worktree, path } = await tree()
    const names = ['"quoted" \\ ', ' leading', 'a -> b', 'line\nbreak', 'tab\t', 'größe', '日本', '😀'].sort()
    for (const name of names) await put(path, name, '')
    expect((await changesIn(worktree)).files).toEqual(names)
    commit(path)
    expect(await changesIn(worktree)).toEqual({ files: names, commits: 1 })
    git(path, 'mv', 'größe', 'größer')
    expect((await changesIn(worktree)).files).toContain('größer')
  })

  it('include commits on the branch that the agent has left', async () => {
    const { worktree, path } = await tree()
    await put(path, 'new.ts', '')
    commit(path)
    git(path, 'checkout', '-q', '--detach', worktree.base)
    expect(await changesIn(worktree)).toEqual({ files: [], commits: 1 })
    commit(path)
    git(path, 'branch', '-q', '-D', worktree.branch)
    expect(await changesIn(worktree)).toEqual({ files: [], commits: 1 })
  })
})

describe('to settle a worktree', () => {
  it('removes it with its branch when nothing is lost, ignored files included', async () => {
    const { root, worktree, path, folder } = await tree()
    await put(path, 'dist/out.js', '')
    // The main tree goes on meanwhile.
    await put(root, 'more.ts', '')
    commit(root)
    expect(await settleWorktree(worktree)).toEqual({ isKept: false, files: [], commits: 0 })
    expect(await readdir(folder)).toEqual([])
    expect(branches(root)).toEqual(['main'])
    expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1)
  })

  it.each([
    ['a changed file', (path: string) => put(path, 'README.md', 'x'), ['README.md'], 0],
    ['an untracked file', (path: string) => put(path, 'new.ts', ''), ['new.ts'], 0],
    ['a commit', (path: string) => put(path, 'new.ts', '').then(() => commit(path)), ['new.ts'], 1],
    ['a commit without files', async (path: string) => commit(path), [], 1],
    [
      'a repository in it',
      (path: string) => put(path, 'in/a', '').then(() => git(path, 'init', '-q', 'in')),
      ['in/'],
      0,
    ],
  ] as const)('keeps it where there is %s, and says why', async (_what, work, files, commits) => {
    const { root, worktree, path } = await tree()
    git(root, 'config', 'status.showUntrackedFiles', 'no')
    await work(path)
    const settled = await settleWorktree(worktree)
    expect(settled).toEqual({ isKept: true, files, commits, reason: expect.stringContaining(worktree.branch) })
    expect(existsSync(path)).toBe(true)
    expect(branches(root)).toContain(worktree.branch)
  })

  it('keeps what git does not let go, or what can not be looked at', async () => {
    const { root, worktree, path } = await tree()
    git(root, 'worktree', 'lock', path)
    expect(await settleWorktree(worktree)).toMatchObject({ isKept: true, reason: expect.stringContaining('locked') })
    git(root, 'worktree', 'unlock', path)
    git(path, 'checkout', '-q', '--orphan', 'other')
    expect(await settleWorktree(worktree)).toMatchObject({ isKept: true, reason: expect.any(String) })
    await rm(join(path, '.git'))
    expect(await settleWorktree(worktree)).toMatchObject({ isKept: true, reason: expect.any(String) })
    expect(existsSync(join(path, 'README.md'))).toBe(true)
  })

  it('clears up after one who has removed it by hand, but for commits', async () => {
    const { root, worktree, path } = await tree()
    await rm(path, { recursive: true })
    expect(await settleWorktree(worktree)).toMatchObject({ isKept: false })
    expect(branches(root)).toEqual(['main'])
    expect(await settleWorktree(worktree)).toMatchObject({ isKept: false })
    const other = await addWorktree({ cwd: root, folder: join(path, '..'), name: 'other' })
    commit(other.path)
    await rm(other.path, { recursive: true })
    expect(await settleWorktree(other)).toMatchObject({ isKept: true, commits: 1 })
    expect(branches(root)).toContain(other.branch)
  })

  it('leaves a branch alone that somebody has taken up', async () => {
    const { root, worktree, path } = await tree()
    git(path, 'checkout', '-q', '--detach')
    git(root, 'checkout', '-q', worktree.branch)
    expect(await settleWorktree(worktree)).toMatchObject({ isKept: false })
    expect(branches(root)).toContain(worktree.branch)
  })
})

describe('two lists of files', () => {
  it('overlap in what both have, each once and sorted', () => {
    expect(overlaps(['b', 'a', 'c', 'b'], ['d', 'b', 'a'])).toEqual(['a', 'b'])
    const files = fc.array(fc.constantFrom('a', 'b', 'c', 'd/e', 'd'))
    fc.assert(
      fc.property(files, files, (one, other) => {
        const both = overlaps(one, other)
        expect(both).toEqual(overlaps(other, one))
        expect(both).toEqual([...new Set(one)].filter((file) => other.includes(file)).sort())
      }),
    )
  })
})
