import { randomUUID } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isWithin } from '../paths.js'
import { entriesOf, onDisk, shownPath } from './disk-names.js'
import type { GuardedPlaces } from './guarded-places.js'
import { isHarmlessConfig } from './harmless-settings.js'
import { isOpened, isSameKept, type Kept } from './repositories.js'

interface Aftermath {
  readonly before: GuardedPlaces
  readonly after: GuardedPlaces
  /** Of the workspace's own repository, where the command was let change it. */
  readonly settings: { readonly path: string; readonly content: Buffer; readonly mode: number } | undefined
  /** A person has allowed these. */
  readonly writable: readonly string[]
  /** Where what is taken away is kept. It stays when the session ends: it may be a person's who has worked beside it. */
  kept(): Promise<string>
  readonly workspace: readonly string[]
}

/**
 * Takes away what a command has left that would run outside of its cage, and puts back what it has changed so that it would.
 * Most of what was there before is mounted so that it can't be written; what is not there can't be mounted over without
 * making it, for people to see, and what goes with its repository must not be. Gives a sentence for each. Nothing in cages
 * may run meanwhile.
 */
export async function takeAway(aftermath: Aftermath): Promise<readonly string[]> {
  const { before, after, settings, writable, kept, workspace } = aftermath
  const isAllowed = (path: string) => writable.some((place) => isWithin(place, path))
  const taken: string[] = []
  const restored: string[] = []
  const take = async (path: string) => {
    // What lies in something that is gone already is gone with it.
    if (taken.some((folder) => isWithin(folder, path)) || !(await isReached(path))) return
    await moveAway(path, await kept())
    taken.push(path)
  }
  const putBack = async (path: string, old: Kept) => {
    if (!(await isReached(path))) return
    await moveAway(path, await kept())
    if (old.is === 'file') await writeFile(onDisk(path), old.content, { flag: 'wx', mode: 0o600 })
    if (old.is === 'file') await chmod(onDisk(path), old.mode ?? 0o644)
    if (old.is === 'link') await symlink(old.content, onDisk(path))
    restored.push(path)
  }
  const known = new Set([...before.guarded, ...before.links.keys()])
  const isNew = (path: string) => !known.has(path) && !isAllowed(path)
  if (after.git !== undefined && before.git === undefined && !isAllowed(after.git) && !(await isHarmlessGit(after)))
    await take(after.git)
  for (const path of [...after.guarded.filter((one) => !isInGit(one, after)), ...after.links.keys()].filter(isNew))
    if (workspace.includes(dirname(path)) || !(await isCopy(path, before.guarded))) await take(path)
  for (const path of after.guarded.filter((one) => isInGit(one, after)).filter(isNew))
    if (before.git !== undefined) await take(path)
  for (const [path, now] of after.watched) {
    const old = before.watched.get(path)
    if (isSameKept(old, now) || isAllowed(path) || (await isHarmlessPart({ path, now, old }, { before, after })))
      continue
    await (old ? putBack(path, old) : take(path))
  }
  for (const [path, target] of before.links) {
    if (after.links.get(path) === target || isAllowed(path)) continue
    await take(path)
    if (await isFolderReached(path)) await symlink(target, onDisk(path)).catch(() => undefined)
  }
  if (settings && !(await areHarmless(settings)))
    await putBack(settings.path, { role: 'setting', is: 'file', ...settings })
  if (taken.length + restored.length === 0) return []
  const place = await kept()
  const says = (path: string, what: string) =>
    `${nameIn(workspace, path)} was ${what}, since it would run programs outside of the sandbox. What was there is kept in ${place}.`
  return [
    ...taken.map((path) => says(path, 'taken away again')),
    ...restored.map((path) => says(path, 'put back as it was')),
  ]
}

function nameIn(workspace: readonly string[], path: string): string {
  const root = workspace.find((folder) => isWithin(folder, path))
  return shownPath(root === undefined ? path : relative(root, path) || path)
}

function found(path: string) {
  return lstat(onDisk(path)).catch(() => undefined)
}

async function isReached(path: string): Promise<boolean> {
  return (await isFolderReached(path)) && (await found(path)) !== undefined
}

/** A folder above it may be a link by now, and then it leads to what is somebody else's. */
async function isFolderReached(path: string): Promise<boolean> {
  const folder = Buffer.from(onDisk(dirname(path)))
  return (await realpath(folder, { encoding: 'buffer' }).catch(() => undefined))?.equals(folder) ?? false
}

/** A file that has another name could be written by that one, past what protects this one. */
async function isOnlyFile(path: string): Promise<boolean> {
  const is = await found(path)
  return is?.isFile() === true && is.nlink === 1
}

async function areHarmless({ path, content }: NonNullable<Aftermath['settings']>): Promise<boolean> {
  if (!(await isFolderReached(path)) || !(await isOnlyFile(path))) return false
  return isHarmlessConfig(path, await readFile(path, 'utf8').catch(() => ''), content.toString())
}

async function moveAway(path: string, kept: string): Promise<void> {
  const place = join(kept, randomUUID().slice(0, 8), basename(path))
  await mkdir(dirname(place), { recursive: true, mode: 0o700 })
  try {
    await rename(onDisk(path), onDisk(place))
  } catch {
    await cp(path, place, { recursive: true, verbatimSymlinks: true }).catch(() => undefined)
    await rm(onDisk(path), { recursive: true, force: true })
  }
}

function isInGit(path: string, { git, repositories }: GuardedPlaces): boolean {
  return [git, ...repositories].some((folder) => folder !== undefined && isWithin(folder, path))
}

/**
 * Whether something is but a copy of what the person has already, as in a second worktree. In the workspace itself it is none:
 * what is only a fixture of a test where it lies would count there.
 */
async function isCopy(path: string, guarded: readonly string[]): Promise<boolean> {
  const twins = guarded.filter((one) => basename(one) === basename(path))
  for (const twin of twins) if (await isSame(path, twin)) return true
  return false
}

const MOST_FILES = 200

async function isSame(path: string, twin: string): Promise<boolean> {
  const [one, other] = await Promise.all([path, twin].map(found))
  if (one?.isFile() && other?.isFile())
    return (
      one.nlink === 1 && one.size === other.size && (await readFile(onDisk(path))).equals(await readFile(onDisk(twin)))
    )
  if (!one?.isDirectory() || !other?.isDirectory()) return false
  const entries = await entriesOf(path)
  if (entries.length > MOST_FILES) return false
  const same = await Promise.all(entries.map(({ name }) => isSame(join(path, name), join(twin, name))))
  return same.every(Boolean)
}

/** Whether a repository that a command has made where there was none starts no program: as `git init` makes it. */
async function isHarmlessGit({ git = '', guarded }: GuardedPlaces): Promise<boolean> {
  if (!(await found(git))?.isDirectory()) return false
  if (guarded.some((path) => isWithin(git, path) && !/^(config|hooks)$/.test(basename(path)))) return false
  const hooks = await entriesOf(join(git, 'hooks')).catch(() => [])
  if (hooks.some(({ name }) => !name.endsWith('.sample'))) return false
  const config = join(git, 'config')
  if (!(await isOnlyFile(config))) return false
  return isHarmlessConfig(config, await readFile(onDisk(config), 'utf8').catch(() => ''))
}

interface ChangedPart {
  readonly path: string
  readonly now: Kept
  readonly old: Kept | undefined
}

/** The same for a part of another repository: settings that start nothing, and a way to a repository that is known. */
async function isHarmlessPart(
  { path, now, old }: ChangedPart,
  { before, after }: Pick<Aftermath, 'before' | 'after'>,
): Promise<boolean> {
  const { git, repositories, watched } = after
  if (!(await found(path))) return true
  if (now.is !== 'file' || now.role === 'hook' || (old && isOpened(old, now))) return false
  const text = now.content.toString()
  const name = basename(path)
  if (name === 'config' || name === 'config.worktree') return isHarmlessConfig(path, text, old?.content.toString())
  if (name === 'gitdir') return true
  const known = [git, ...repositories].filter((folder) => folder !== undefined)
  if (name === 'commondir') return known.includes(resolve(dirname(path), text.trim()))
  if (name !== '.git') return false
  const [, folder] = /^gitdir: (.*)$/m.exec(text) ?? []
  const place = folder && resolve(dirname(path), folder.trim())
  if (!place || !known.some((each) => isWithin(each, place))) return false
  const config = join(place, 'config')
  const settings = watched.get(config)?.content.toString()
  const was = before.watched.get(config)?.content.toString()
  if (settings !== undefined && !(await isHarmlessConfig(config, settings, was))) return false
  return watched.has(join(place, 'commondir')) || settings !== undefined
}
