import { randomBytes } from 'node:crypto'
import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { NacreError } from '@nacre/core'
import { makePrivateFolder } from '@nacre/core/node'
import { git, runGit } from './git.js'

/** A working tree of its own for one agent, on a branch of its own. */
export interface Worktree {
  readonly path: string
  readonly branch: string
  /** The commit that it began with. */
  readonly base: string
  /** The working tree that it was made from. */
  readonly root: string
}

/** What was changed in a worktree since its base. */
export interface WorktreeChanges {
  /** Relative to the root, sorted. */
  readonly files: readonly string[]
  readonly commits: number
}

/** For whom a worktree is made, and where. */
export interface WorktreeOptions {
  /** A folder in the repository. */
  readonly cwd: string
  /** The folder that worktrees are put into. */
  readonly folder: string
  readonly name: string
  readonly signal?: AbortSignal
}

/**
 * Makes `<folder>/<name>` on a new branch `nacre/<name>-<6 hex>` from HEAD; where that folder is taken, its name gets the
 * same ending. `leftOut` names the files that are changed and not committed in the main tree, and so not in it.
 */
export async function addWorktree({
  cwd,
  folder,
  name,
  signal,
}: WorktreeOptions): Promise<Worktree & { readonly leftOut: readonly string[] }> {
  const root = await findRoot(cwd, signal)
  const base = await findBase(root, signal)
  const parent = await prepareFolder(root, resolve(cwd, folder))
  const leftOut = await uncommitted(root, signal)
  const made = await inTurn(() => make({ root, base, parent, name: readable(name), ...(signal && { signal }) }))
  return { ...made, base, root, leftOut }
}

const MAX_NAME = 50

/** A name for a folder and a branch. */
function readable(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, '-').slice(0, MAX_NAME)
  return plain.replace(/^-+|-+$/g, '') || 'agent'
}

/** Git reads the list of worktrees while another git writes into it, and fails: so ours change it one after the other. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = last.then(work)
  last = mine.catch(() => undefined)
  return mine
}

interface Making {
  readonly root: string
  readonly base: string
  readonly parent: string
  readonly name: string
  readonly signal?: AbortSignal
}

const ATTEMPTS = 3
/** What git says when it meets a worktree that another process is just making. */
const MOMENTARY = /failed to read .*worktrees/

async function make(making: Making, attempt = 1): Promise<Pick<Worktree, 'path' | 'branch'>> {
  const { root, base, parent, name, signal } = making
  const unique = `${name}-${randomBytes(3).toString('hex')}`
  const branch = `nacre/${unique}`
  const path = await freeFolder(parent, [name, unique])
  try {
    await git(root, ['worktree', 'add', '--quiet', '-b', branch, path, base], signal)
    return { path, branch }
  } catch (error) {
    await takeBack(root, path, branch)
    if (attempt === ATTEMPTS || !MOMENTARY.test((error as Error).message)) throw error
  }
  return make(making, attempt + 1)
}

async function findRoot(cwd: string, signal: AbortSignal | undefined): Promise<string> {
  const { isOk, output, complaint } = await runGit(cwd, ['rev-parse', '--show-toplevel'], signal)
  // Only the break that git adds: a folder may have one in its name.
  if (isOk && output.length > 1) return resolve(output.replace(/\r?\n$/, ''))
  const isMissing = /not a git repository/i.test(complaint)
  const message = isMissing
    ? `${cwd} is in no git repository. Run \`git init\` and commit, or let the agent work without a worktree.`
    : `${cwd} has no working tree of git that can be used: ${complaint || 'git gave no reason'}`
  throw new NacreError('NOT_FOUND', message)
}

async function findBase(root: string, signal: AbortSignal | undefined): Promise<string> {
  const { isOk, output } = await runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], signal)
  if (isOk) return output.trim()
  const message = `The repository ${root} has no commit yet. Commit something first, or let the agent work without a worktree.`
  throw new NacreError('NOT_FOUND', message)
}

/** Makes the folder for worktrees. In the main tree it ignores itself, or they would count as changes of it. */
async function prepareFolder(root: string, folder: string): Promise<string> {
  await makePrivateFolder(folder)
  const parent = await realpath(folder)
  const way = relative(root, parent)
  const isInside = way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  if (!isInside) return parent
  await writeFile(join(parent, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return parent
}

/** Makes the first of some folders that is not there: git takes an empty one, and nobody else can have it then. */
async function freeFolder(parent: string, names: readonly string[]): Promise<string> {
  for (const name of names) {
    const path = join(parent, name)
    const isMade = await mkdir(path).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    if (isMade) return path
  }
  throw new NacreError('INVALID_REQUEST', `${names.join(' and ')} are taken in ${parent}. Take another name.`)
}

/** Removes what an attempt has left; nobody has worked there yet. */
async function takeBack(root: string, path: string, branch: string): Promise<void> {
  await runGit(root, ['worktree', 'remove', '--force', '--force', path]).catch(() => undefined)
  await rm(path, { recursive: true, force: true }).catch(() => undefined)
  await runGit(root, ['branch', '--quiet', '-D', branch]).catch(() => undefined)
}

/** What was changed in a worktree since its base, committed or not. */
export async function changesIn({ path, branch, base }: Worktree): Promise<WorktreeChanges> {
  const [committed, open, commits] = await Promise.all([
    git(path, ['diff-tree', '-r', '-z', '--name-only', '--no-renames', base, 'HEAD']),
    uncommitted(path),
    commitsBeyond(path, base, ['HEAD', branch]),
  ])
  return { files: sortedOnce([...names(committed), ...open]), commits }
}

/** Changed and untracked files of a working tree, relative to its root. Those that git ignores are left out. */
async function uncommitted(root: string, signal?: AbortSignal): Promise<readonly string[]> {
  const how = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=none']
  const status = await git(root, ['status', ...how], signal)
  // Two letters and a space stand before each name.
  return sortedOnce(names(status).map((entry) => entry.slice(3)))
}

/** How many commits the named places have that the base has not; one that is gone has none. */
async function commitsBeyond(cwd: string, base: string, places: readonly string[]): Promise<number> {
  const found: string[] = []
  for (const place of places) {
    const ref = place === 'HEAD' ? place : `refs/heads/${place}`
    const { isOk, output } = await runGit(cwd, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])
    if (isOk) found.push(output.trim())
  }
  if (found.length === 0) return 0
  return Number(await git(cwd, ['rev-list', '--count', ...found, `^${base}`]))
}

/** What became of a worktree, and why it was kept. */
export interface SettledWorktree extends WorktreeChanges {
  readonly isKept: boolean
  readonly reason?: string
}

/**
 * Removes a worktree and its branch when nothing is lost by that: no commits beyond its base, no changed and no untracked
 * files. Those that git ignores go with it. Else keeps it and says why. Nothing is forced.
 */
export async function settleWorktree(worktree: Worktree): Promise<SettledWorktree> {
  const { path, branch, base, root } = worktree
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  try {
    const changes = isThere
      ? await changesIn(worktree)
      : { files: [], commits: await commitsBeyond(root, base, [branch]) }
    const { files, commits } = changes
    if (files.length === 0 && commits === 0) return await inTurn(() => remove(worktree, isThere))
    const what = `${counted(files.length, 'file')}, ${counted(commits, 'commit')}`
    return { isKept: true, ...changes, reason: `There are changes in ${path} on the branch ${branch}: ${what}.` }
  } catch (error) {
    // What can't be looked at may hold anything.
    return { isKept: true, files: [], commits: 0, reason: (error as Error).message }
  }
}

async function remove({ path, branch, base, root }: Worktree, isThere: boolean): Promise<SettledWorktree> {
  const nothing = { files: [], commits: 0 }
  // Git looks once more, and refuses where something has come in between.
  const removed = await runGit(root, ['worktree', 'remove', path])
  if (!removed.isOk && isThere) return { isKept: true, ...nothing, reason: removed.complaint }
  if ((await commitsBeyond(root, base, [branch])) === 0) await runGit(root, ['branch', '--quiet', '-D', branch])
  return { isKept: false, ...nothing }
}

/** Files that both have changed. */
export function overlaps(one: readonly string[], other: readonly string[]): readonly string[] {
  const theirs = new Set(other)
  return sortedOnce(one.filter((file) => theirs.has(file)))
}

function names(output: string): readonly string[] {
  return output.split('\0').filter((name) => name !== '')
}

function sortedOnce(files: readonly string[]): readonly string[] {
  return [...new Set(files)].sort()
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
