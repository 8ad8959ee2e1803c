import { type BigIntStats, lstatSync, renameSync, unlinkSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PromiseFsClient } from 'isomorphic-git'
import { errorCode, forEachOf, ignoreMissing, unwritable, writeNewFile } from './atomic-fs.js'
import { blobId, type GitLibrary, isPlainFile, type TreeEntry } from './objects.js'
import { isReservedName, MOST_BYTES, refusedPath, textOf } from './paths.js'

/** A text file as it was found. */
interface FoundFile {
  readonly oid: string
  readonly text: string
  readonly stats: BigIntStats
}

/** The text files that the history has or takes, by their paths. */
export type FoundFiles = ReadonlyMap<string, FoundFile>

/** The files of the folder as they lie there for everybody to read and to edit. */
export interface WorkingTree {
  /** Finds the text files. Reads only what has changed since the last time. */
  scan(entries: ReadonlyMap<string, TreeEntry>): Promise<FoundFiles>
  /** What is at a path: a text, nothing, or something that is no text and stays untouched. */
  look(path: string): Promise<FoundFile | 'nothing' | 'other'>
  /** Makes a text ready to be put in its place by `place`, so that no full disk can stop that. */
  prepare(path: string, data: Uint8Array, temporary: string): Promise<void>
  /**
   * Puts what was prepared in its place, or removes the file, unless a person has put something else there than what
   * is expected. There are some microseconds between the look and the deed, and no system call that has none.
   */
  place(path: string, expected: string | undefined, temporary: string | undefined): Promise<void>
  /** Files whose times are before this moment of the file system's clock can be trusted to change them again. */
  setClock(time: bigint): void
}

interface WorkingTreeOptions {
  readonly path: string
  readonly gitdir: string
  readonly git: GitLibrary
  readonly fs: PromiseFsClient
  /** The text of a `.gitignore` that ignores nothing that the scan would take. */
  readonly ownIgnore: string
}

/** `found` is left out for what is no text. */
interface Seen {
  readonly stats: BigIntStats
  readonly found?: FoundFile
  /** Whether another edit would show in its times. */
  readonly isSettled: boolean
}

const ATTEMPTS = 5

export function openWorkingTree(options: WorkingTreeOptions): WorkingTree {
  const { path: folder } = options
  const seen = new Map<string, Seen>()
  let clock = 0n

  const examine = async (path: string): Promise<Seen | undefined> => {
    const stats = statNow(join(folder, path))
    if (stats === undefined) {
      seen.delete(path)
      return undefined
    }
    const before = seen.get(path)
    if (before?.isSettled && isSame(before.stats, stats)) return before
    const isRead = stats.isFile() && stats.size <= MOST_BYTES
    const data = isRead ? await readFile(join(folder, path)).catch(ignoreMissing) : undefined
    // An editor has just put it aside.
    if (isRead && data === undefined) return undefined
    const text = data && textOf(data)
    const found = data && text !== undefined ? { oid: blobId(data), text, stats } : undefined
    const now = { stats, isSettled: stats.ctimeNs < clock, ...(found && { found }) }
    seen.set(path, now)
    return now
  }

  return {
    async scan(entries) {
      const paths = await candidates(options, entries)
      const found = new Map<string, FoundFile>()
      const results = await forEachOf(paths, (path) => examine(path).catch(unreadable(path)))
      for (const [index, path] of paths.entries()) {
        const file = results[index]?.found
        if (file) found.set(path, file)
      }
      // The newest of these times is one that the file system's clock has passed by now.
      for (const each of results) if (each && each.stats.ctimeNs > clock) clock = each.stats.ctimeNs
      const current = new Set(paths)
      for (const path of seen.keys()) if (!current.has(path)) seen.delete(path)
      return found
    },
    async look(path) {
      if (hasLinkAbove(folder, path)) return 'other'
      const now = await examine(path)
      return now === undefined ? 'nothing' : (now.found ?? 'other')
    },
    async prepare(path, data, temporary) {
      await makeFolders(folder, path)
      await writeNewFile(temporary, data)
    },
    async place(path, expected, temporary) {
      // Only its times may differ: then it is looked at once more.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const now = await examine(path)
        if (hasLinkAbove(folder, path)) return
        if (now?.found?.oid !== expected || (now !== undefined && now.found === undefined)) return
        if (!placeNow(join(folder, path), now?.stats, temporary)) continue
        seen.delete(path)
        if (temporary === undefined) await removeEmptyFolders(folder, path)
        return
      }
    },
    setClock(time) {
      if (time > clock) clock = time
    },
  }
}

/** A file that can't be read is not gone: to take it for deleted would be a lie. */
function unreadable(path: string): (error: unknown) => never {
  return (error) => {
    const why = errorCode(error) ?? String(error)
    throw unwritable(`${path} can't be read (${why}). Give yourself the right to, or take it out of the memory folder.`)
  }
}

function isSame(left: BigIntStats, right: BigIntStats): boolean {
  return (
    left.size === right.size &&
    left.mtimeNs === right.mtimeNs &&
    left.ctimeNs === right.ctimeNs &&
    left.ino === right.ino
  )
}

/** Thousands of these are made, and the other way takes twenty times as long. */
function statNow(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    return ignoreMissing(error)
  }
}

/** Without a pause between the last look and the deed. `false` when something has changed. */
function placeNow(target: string, seen: BigIntStats | undefined, temporary: string | undefined): boolean {
  try {
    const now = statNow(target)
    if (seen === undefined ? now !== undefined : now === undefined || !isSame(seen, now)) return false
    if (temporary !== undefined) renameSync(temporary, target)
    else if (now !== undefined) unlinkSync(target)
    return true
  } catch (error) {
    // A person has put something else there, or took the folder away, in this moment.
    if (['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'ENOENT'].includes(errorCode(error) ?? '')) return false
    throw error
  }
}

/** The paths to look at: what the history has, and new files that look like memories and are not ignored. */
async function candidates(
  { path: folder, gitdir, git, fs, ownIgnore }: WorkingTreeOptions,
  entries: ReadonlyMap<string, TreeEntry>,
): Promise<readonly string[]> {
  const known: string[] = []
  const fresh: string[] = []
  let hasRules = false
  const walk = async (prefix: string): Promise<void> => {
    const list = await readdir(join(folder, prefix), { withFileTypes: true })
    // A repository inside this one is not ours.
    if (prefix !== '' && list.some(({ name }) => name === '.git')) return
    for (const entry of list) {
      if (isReservedName(entry.name)) continue
      const path = prefix + entry.name
      if (entry.isDirectory()) await walk(`${path}/`).catch(ignoreMissing)
      if (!entry.isFile()) continue
      if (entry.name === '.gitignore') hasRules ||= prefix !== '' || (await readText(join(folder, path))) !== ownIgnore
      const tracked = entries.get(path)
      if (tracked ? isPlainFile(tracked) : /(\.md|^\.gitignore)$/i.test(entry.name))
        (tracked ? known : fresh).push(path)
    }
  }
  await walk('')
  hasRules ||= /^[^#\n]/m.test((await readText(join(gitdir, 'info', 'exclude'))).replace(ownIgnore, ''))
  if (!hasRules) return [...known, ...fresh].sort()
  const wanted: string[] = []
  for (const filepath of fresh) {
    if (!(await git.isIgnored({ fs, dir: folder, gitdir, filepath }))) wanted.push(filepath)
  }
  return [...known, ...wanted].sort()
}

async function readText(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(ignoreMissing)) ?? ''
}

/** Whether a path leads through a link, which could lead anywhere. */
function hasLinkAbove(folder: string, path: string): boolean {
  const names = path.split('/')
  return names.some((_, depth) => depth > 0 && statNow(join(folder, ...names.slice(0, depth)))?.isSymbolicLink())
}

/** Makes the folders above a file. None of them may be a link, which could lead anywhere. */
async function makeFolders(folder: string, path: string): Promise<void> {
  const names = path.split('/').slice(0, -1)
  for (const [index] of names.entries()) {
    const above = names.slice(0, index + 1).join('/')
    await mkdir(join(folder, above), { mode: 0o700 }).catch(async (error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
      const stats = await lstat(join(folder, above))
      if (!stats.isDirectory()) throw refusedPath(path, `${above} is a link or a file, and no folder`)
    })
  }
  const stats = await lstat(join(folder, path)).catch(ignoreMissing)
  if (stats && !stats.isFile()) throw refusedPath(path, 'there is a link or a folder of that name')
}

async function removeEmptyFolders(folder: string, path: string): Promise<void> {
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    const isGone = await rmdir(join(folder, above)).then(
      () => true,
      () => false,
    )
    if (!isGone) return
  }
}
