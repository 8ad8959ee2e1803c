import { cp, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing, unwritable } from './atomic-fs.js'
import {
  type Folder,
  GIT_PATIENCE,
  type JournalFile,
  refreshIndex,
  rollForward,
  temporaryFile,
} from './commit-files.js'
import { lockFile, readHead, removeLeftLock } from './head.js'
import { isPlainFile, type Objects, openObjects, type TreeEntry } from './objects.js'
import { createRewriter } from './purge-rewrite.js'
import { createTextFilter } from './purge-text.js'
import type { Purged } from './types.js'

const KEPT = ['config', 'description', 'hooks', 'info/exclude', 'info/attributes']
const CONNECTED = ['worktrees', 'shallow', 'objects/info/alternates', 'modules']

/**
 * Rewrites the whole history without what is purged. The new repository is made beside the old one, of reachable objects
 * only, and takes its place by a rename: a kill leaves one of both. For the holder of the lock, when all is committed.
 */
export async function purgeHistory(folder: Folder, purged: Purged): Promise<void> {
  const filter = createTextFilter(purged.texts, purged.paths)
  await mustStandAlone(folder)
  const made = temporaryFile(folder)
  const gitdir = join(made, 'git')
  const { git, fs, objects } = folder
  const refs = await readRefs(folder.gitdir)
  const rewrite = createRewriter({ git, fs, gitdir, objects, filter, paths: new Set(purged.paths) })
  try {
    await copySettings(folder.gitdir, gitdir)
    for (const [ref, target] of refs) {
      const isObject = /^[0-9a-f]{40}$/.test(target)
      const value = isObject ? await rewrite(target) : target
      if (value === undefined) continue
      await mkdir(join(gitdir, ref, '..'), { recursive: true })
      await writeFile(join(gitdir, ref), `${value}\n`)
    }
    const before = await headEntries(folder, folder.gitdir, objects)
    const after = await headEntries(folder, gitdir, openObjects(git, fs, gitdir))
    await writeFile(join(made, 'files.json'), JSON.stringify(changedFiles(before, after)))
    await rename(made, purgePath(folder))
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    throw error
  }
  await swap(folder, refs)
  await finishPurge(folder)
}

/** Puts the new repository in the place of the old one, unless a person has gone on in that meanwhile. */
async function swap(folder: Folder, refs: ReadonlyMap<string, string>): Promise<void> {
  const index = join(folder.gitdir, 'index.lock')
  const patience = { wait: folder.wait, milliseconds: GIT_PATIENCE }
  const hasIndex = await lockFile(index, temporaryFile(folder), patience)
  const now = hasIndex ? await readRefs(folder.gitdir) : refs
  const isSame = now.size === refs.size && [...now].every(([ref, target]) => refs.get(ref) === target)
  if (!hasIndex || !isSame) {
    await recoverPurge(folder)
    throw unwritable(`Git is at work in ${folder.path}. Purge again when it is not; if none runs, remove ${index}.`)
  }
  await rename(folder.gitdir, join(purgePath(folder), 'old'))
  await rename(join(purgePath(folder), 'git'), folder.gitdir)
}

const purgePath = ({ state }: Folder) => join(state, 'purge')

/** Whether a purge was begun and not ended. */
export async function isPurging(folder: Folder): Promise<boolean> {
  return isThere(purgePath(folder))
}

/** Ends a purge that was killed after the old history was put aside, and forgets one that was killed before. */
export async function recoverPurge(folder: Folder): Promise<void> {
  const purge = purgePath(folder)
  if (!(await isThere(purge))) return
  const [isSwapped, hasNew] = [await isThere(join(purge, 'old')), await isThere(join(purge, 'git'))]
  if (!(await isThere(folder.gitdir))) await rename(join(purge, hasNew ? 'git' : 'old'), folder.gitdir)
  if (isSwapped) return finishPurge(folder)
  await removeLeftLock(join(folder.gitdir, 'index.lock'))
  await rm(purge, { recursive: true, force: true })
}

async function finishPurge(folder: Folder): Promise<void> {
  folder.objects.forget()
  const text = await readFile(join(purgePath(folder), 'files.json'), 'utf8')
  await rollForward(folder, JSON.parse(text) as readonly JournalFile[])
  await refreshIndex(folder)
  // The list goes last: as long as it is there, whoever comes next goes on.
  await rm(join(purgePath(folder), 'old'), { recursive: true, force: true })
  await rm(purgePath(folder), { recursive: true, force: true })
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(ignoreMissing)) !== undefined
}

/** What others read from, or what reads from others, can't be rewritten alone. */
async function mustStandAlone({ gitdir, path }: Folder): Promise<void> {
  for (const name of CONNECTED) {
    if (!(await isThere(join(gitdir, name)))) continue
    throw unwritable(`The repository in ${path} is connected with another one (.git/${name}). Undo that, then purge.`)
  }
}

async function headEntries(
  { git, fs }: Folder,
  gitdir: string,
  objects: Objects,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const head = await readHead(git, fs, gitdir)
  return head === undefined ? new Map() : objects.entries((await objects.commit(head.commit)).tree)
}

function changedFiles(
  before: ReadonlyMap<string, TreeEntry>,
  after: ReadonlyMap<string, TreeEntry>,
): readonly JournalFile[] {
  return [...before].flatMap(([path, entry]) => {
    const now = after.get(path)
    if (now?.oid === entry.oid || !isPlainFile(entry)) return []
    return [{ path, before: entry.oid, ...(now && { after: now.oid }) }]
  })
}

async function copySettings(from: string, to: string): Promise<void> {
  for (const name of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'info']) {
    await mkdir(join(to, name), { recursive: true })
  }
  for (const name of KEPT) await cp(join(from, name), join(to, name), { recursive: true }).catch(ignoreMissing)
  await cp(join(from, 'HEAD'), join(to, 'HEAD'))
}

/** All refs with what they point at. The stash and what other rewrites left behind are not kept. */
async function readRefs(gitdir: string): Promise<ReadonlyMap<string, string>> {
  const refs = new Map<string, string>()
  const packed = (await readFile(join(gitdir, 'packed-refs'), 'utf8').catch(ignoreMissing)) ?? ''
  for (const [, oid = '', ref = ''] of packed.matchAll(/^([0-9a-f]{40}) (\S+)$/gm)) refs.set(ref, oid)
  const walk = async (prefix: string): Promise<void> => {
    for (const entry of await readdir(join(gitdir, prefix), { withFileTypes: true })) {
      const ref = `${prefix}/${entry.name}`
      if (entry.isDirectory()) await walk(ref)
      else if (!ref.endsWith('.lock')) refs.set(ref, (await readFile(join(gitdir, ref), 'utf8')).trim())
    }
  }
  await walk('refs')
  for (const ref of refs.keys()) if (ref === 'refs/stash' || ref.startsWith('refs/original/')) refs.delete(ref)
  return refs
}
