import { lstat, readFile, readlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isWithin } from '../paths.js'
import { entriesOf, onDisk } from './disk-names.js'

/** What something is that decides what git runs. */
export interface Kept {
  readonly role: 'setting' | 'hook'
  readonly is: 'file' | 'link' | 'other'
  /** Of a file what is in it, of a link where it leads, of all else what would tell another from it. */
  readonly content: Buffer
  /** Of a file who may do what with it. */
  readonly mode?: number
}

export function isSameKept(one: Kept | undefined, other: Kept): boolean {
  return one?.is === other.is && one.content.equals(other.content) && !isOpened(one, other)
}

/** To run it, and to write it for others. */
const OPENING = 0o133

/** Whether it may be run, or others may write it, and could not before: a hook that is switched off would be on again. */
export function isOpened(before: Kept, now: Kept): boolean {
  return ((now.mode ?? 0) & ~(before.mode ?? 0) & OPENING) !== 0
}

/** A `.git`, or a folder that is a repository by what is in it. */
export interface RepositoryPlace {
  readonly path: string
  readonly isFolder: boolean
}

type Watched = readonly (readonly [string, Kept])[]

interface Repository {
  readonly guarded: readonly string[]
  readonly watched: Watched
  readonly folders: readonly string[]
}

const MOST_BELOW = 2_000

/** What of the workspace's own repository decides what git runs: its settings and hooks, and what leads to those of others. */
export async function ownRepository(git: RepositoryPlace, root: string): Promise<Repository> {
  const { path } = git
  const place = git.isFolder ? { folder: path, main: path } : await pointedAt(path, root)
  if (!place) return { guarded: [path], watched: [], folders: [] }
  const { folder, main } = place
  const places = [main, folder].flatMap((each) => SETTINGS.map((name) => join(each, name)))
  const there = await Promise.all([...new Set(places)].map(async (each) => ((await kindOf(each)) ? [each] : [])))
  const hooks = await ownHooks(main, dirname(path))
  const below = await Promise.all([childrenOf(join(main, 'worktrees')), modulesOf(main)])
  const watched = await Promise.all([
    ...below.flat().slice(0, MOST_BELOW).map(contentOf),
    ...['worktrees', 'modules'].map((name) => linkAt(join(main, name), 'setting')),
  ])
  return {
    guarded: [...(git.isFolder ? [] : [path]), ...there.flat(), join(main, 'hooks'), ...hooks],
    watched: watched.flat().filter(([each]) => dirname(each) !== folder),
    folders: [...new Set([main, folder])],
  }
}

/**
 * Where a file `.git` says that its repository is, if that says so in turn: else a strange workspace would name any folder of
 * the disk for one, and it would be there to be read and written.
 */
async function pointedAt(
  path: string,
  root: string,
): Promise<{ readonly folder: string; readonly main: string } | undefined> {
  const folder = await namedIn(path, /^gitdir: (.*)$/m)
  if (folder === undefined || isWithin(folder, root)) return undefined
  const main = (await namedIn(join(folder, 'commondir'), /^(.*)$/m)) ?? folder
  if (isWithin(main, root)) return undefined
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => kindOf(join(main, name))))
  if (parts.join() !== 'file,folder,folder') return undefined
  const isWorktree = main !== folder && (await namedIn(join(folder, 'gitdir'), /^(.*)$/m)) === path
  const isModule = main === folder && (await namedIn(join(folder, 'config'), /^\s*worktree = (.*)$/m)) === dirname(path)
  return isWorktree || isModule ? { folder, main } : undefined
}

/** Where the settings say that hooks are, if that is in the workspace. */
async function ownHooks(folder: string, root: string): Promise<readonly string[]> {
  const text = await readFile(onDisk(join(folder, 'config')), 'utf8').catch(() => '')
  const [, named = ''] = /^\s*hookspath\s*=\s*"?([^"#;\n]+)/im.exec(text) ?? []
  const place = named.trim() && resolve(root, named.trim())
  return place && isWithin(root, place) && place !== root && (await kindOf(place)) ? [place] : []
}

const SETTINGS = ['config', 'config.worktree', 'commondir', 'gitdir']

/** What of another repository decides what git runs. */
export async function watchedIn({ path, isFolder }: RepositoryPlace): Promise<Watched> {
  return isFolder ? contentOf(path) : kept(path, 'setting')
}

/** Nothing is looked for behind a link: what is there is somebody else's, and would be taken for a part of it. */
async function contentOf(folder: string): Promise<Watched> {
  const hooks = join(folder, 'hooks')
  const isThere = (await kindOf(hooks)) === 'folder'
  const names = isThere ? await entriesOf(hooks).catch(() => []) : []
  const found = await Promise.all([
    ...SETTINGS.map((name) => kept(join(folder, name), 'setting')),
    ...names.filter(({ name }) => !name.endsWith('.sample')).map(({ path }) => kept(path, 'hook')),
    ...['hooks', 'modules', 'worktrees'].map((name) => linkAt(join(folder, name), 'hook')),
    ...(await modulesOf(folder)).map(contentOf),
  ])
  return found.flat()
}

const DEEPEST_MODULE = 10

/** Repositories of submodules, whose names may have slashes in them. */
async function modulesOf(folder: string, depth = 0): Promise<readonly string[]> {
  if (depth > DEEPEST_MODULE) return []
  const modules = join(folder, 'modules')
  const start = (await kindOf(modules)) === 'folder' ? [modules] : []
  const children = depth === 0 ? start : await childrenOf(folder)
  const found = await Promise.all(
    children.map(async (child) =>
      (await kindOf(join(child, 'HEAD'))) && depth > 0 ? [child] : modulesOf(child, depth + 1),
    ),
  )
  return found.flat()
}

const MOST_BYTES = 1024 * 1024

async function kept(path: string, role: Kept['role']): Promise<Watched> {
  const found = await lstat(onDisk(path)).catch(() => undefined)
  if (!found) return []
  if (found.isSymbolicLink()) return linkAt(path, role)
  const isSmall = found.isFile() && found.size < MOST_BYTES
  const content = isSmall ? await readFile(onDisk(path)).catch(() => undefined) : undefined
  if (content) return [[path, { role, is: 'file', content, mode: found.mode & 0o777 }]]
  return [
    [path, { role, is: 'other', content: Buffer.from(`${found.mode} ${found.size} ${found.ino} ${found.mtimeMs}`) }],
  ]
}

async function linkAt(path: string, role: Kept['role']): Promise<Watched> {
  const target = await readlink(onDisk(path), { encoding: 'buffer' }).catch(() => undefined)
  return target ? [[path, { role, is: 'link', content: target }]] : []
}

async function namedIn(file: string, pattern: RegExp): Promise<string | undefined> {
  if ((await kindOf(file)) !== 'file') return undefined
  const text = await readFile(onDisk(file), 'utf8').catch(() => '')
  const [, name] = pattern.exec(text.slice(0, 4096)) ?? []
  return name ? resolve(dirname(file), name.trim()) : undefined
}

export async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await lstat(onDisk(path)).catch(() => undefined)
  if (found?.isFile()) return 'file'
  return found?.isDirectory() ? 'folder' : undefined
}

async function childrenOf(folder: string): Promise<readonly string[]> {
  if ((await kindOf(folder)) !== 'folder') return []
  const entries = await entriesOf(folder).catch(() => [])
  return entries.flatMap(({ entry, path }) => (entry.isDirectory() ? [path] : []))
}
