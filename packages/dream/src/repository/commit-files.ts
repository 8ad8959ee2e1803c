import { lstat, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isNacreError, NacreError } from '@nacre/core'
import type { Lock } from '@nacre/core/node'
import type { PromiseFsClient } from 'isomorphic-git'
import { forEachOf, ignoreMissing, replaceFile, TEMPORARY_OBJECT, unwritable } from './atomic-fs.js'
import { type Head, lockFile, mustBeOnBranch, readHead, removeLeftLock } from './head.js'
import { updateIndex } from './index-file.js'
import { formatMessage } from './message.js'
import { type GitLibrary, isPlainFile, type Objects, PLAIN_FILE, type TreeEntry } from './objects.js'
import { textOf } from './paths.js'
import type { Cause, FileChanges } from './types.js'
import type { FoundFiles, WorkingTree } from './working-tree.js'

/** One opened folder: its places on the disk, its objects, its files, and how it looks at the world. */
export interface Folder {
  readonly path: string
  readonly gitdir: string
  /** Our private folder in it. */
  readonly state: string
  readonly git: GitLibrary
  readonly fs: PromiseFsClient
  readonly objects: Objects
  readonly tree: WorkingTree
  readonly author: { readonly name: string; readonly email: string }
  readonly now: () => number
  readonly newId: () => string
  readonly wait: (milliseconds: number) => Promise<void>
}

/** The checked out commit with its files, and the files as they are. */
export interface State {
  readonly head: Head
  readonly entries: ReadonlyMap<string, TreeEntry>
  readonly found: FoundFiles
}

/** A name in the private folder under which something may be left half-written. */
export function temporaryFile({ state, newId }: Folder): string {
  return join(state, 'tmp', newId())
}

/** A change on its way, so that whoever comes next can end it. */
interface Journal {
  readonly ref: string
  readonly files: readonly JournalFile[]
}

/** Git's ids of a file before and after; left out where there is none. */
export interface JournalFile {
  readonly path: string
  readonly before?: string
  readonly after?: string
}

const journalPath = ({ state }: Folder) => join(state, 'journal.json')

/** Whether a change was begun and not ended. Its maker may still be at it. */
export async function isUnfinished(folder: Folder): Promise<boolean> {
  return (await lstat(journalPath(folder)).catch(ignoreMissing)) !== undefined
}

interface NewFiles {
  readonly state: State
  readonly cause: Cause
  readonly changes: FileChanges
  /** Whether the files are as they shall be already, since a person has made the change. */
  readonly isByHand?: boolean
}

/**
 * Commits changes of files and checks them out. The commit point is the move of the branch: what is killed before has
 * left nothing but objects that nobody refers to, and what is killed after is ended by the next opener. Gives
 * `undefined`, and changes nothing, when a person was faster: then the state has to be read again.
 */
export async function commitFiles(folder: Folder, lock: Lock, files: NewFiles): Promise<string | undefined> {
  const { state, cause, changes, isByHand = false } = files
  const { objects, tree } = folder
  const ref = await mustBeOnBranch(folder.gitdir, state.head)
  const entries = new Map<string, TreeEntry | undefined>()
  const prepared = new Map<string, string | undefined>()
  const journal: JournalFile[] = []
  try {
    await forEachOf(changes, async ([path, text]) => {
      const data = text === undefined ? undefined : Buffer.from(text)
      const before = state.entries.get(path)
      const after = data && (await objects.writeBlob(data))
      entries.set(path, after === undefined ? undefined : { oid: after, mode: before?.mode ?? PLAIN_FILE })
      journal.push({ path, ...(before && { before: before.oid }), ...(after !== undefined && { after }) })
      const temporary = data && !isByHand ? temporaryFile(folder) : undefined
      prepared.set(path, temporary)
      if (data && temporary !== undefined) await tree.prepare(path, data, temporary)
    })
    const parent = await objects.commit(state.head.commit)
    const root = await objects.writeTree(parent.tree, entries)
    const message = formatMessage(cause)
    const { author } = folder
    const time = folder.now()
    const commit = await objects.writeCommit({ tree: root, parents: [parent.id], message, author, time })
    const isMoved = await moveBranch(folder, lock, { state, ref, commit, journal, isByHand }, async () => {
      for (const { path, before } of isByHand ? [] : inOrder(journal))
        await tree.place(path, before, prepared.get(path))
    })
    return isMoved ? commit : undefined
  } finally {
    for (const temporary of prepared.values()) if (temporary !== undefined) await rm(temporary, { force: true })
  }
}

interface Move {
  readonly state: State
  readonly ref: string
  readonly commit: string
  readonly journal: readonly JournalFile[]
  readonly isByHand: boolean
}

/** How long git is waited for, which holds its locks for moments; or for ever, when it was killed. */
export const GIT_PATIENCE = 2_000

async function moveBranch(folder: Folder, lock: Lock, move: Move, checkOut: () => Promise<void>): Promise<boolean> {
  const { gitdir, wait } = folder
  const { ref, commit } = move
  const index = join(gitdir, 'index.lock')
  const branch = join(gitdir, `${ref}.lock`)
  const patience = { wait, milliseconds: GIT_PATIENCE }
  const journal: Journal = { ref, files: move.journal }
  await replaceFile(journalPath(folder), JSON.stringify(journal), temporaryFile(folder))
  let isMoved = false
  const hasIndex = await lockFile(index, temporaryFile(folder), patience)
  try {
    if (!(await lockFile(branch, temporaryFile(folder), patience))) {
      throw unwritable(`Git is at work in ${folder.path}. If it is not, remove ${branch}.`)
    }
    try {
      if (!(await isStill(folder, move))) return false
      const thief = await lock.lostTo()
      if (thief !== undefined) {
        const message = `This process was silent for a minute, and the memory folder was taken over by ${thief}. Try again.`
        throw new NacreError('SESSION_BUSY', message, { holder: thief })
      }
      await folder.git.writeRef({ fs: folder.fs, gitdir, ref, value: commit, force: true })
      isMoved = true
    } finally {
      await rm(branch, { force: true })
    }
    await checkOut()
    if (hasIndex) await refreshIndex(folder)
  } finally {
    if (hasIndex) await rm(index, { force: true })
    // Once the branch has moved, only a finished checkout ends the change: else the next opener goes on with it.
    if (!isMoved) await rm(journalPath(folder), { force: true })
  }
  await rm(journalPath(folder), { force: true })
  return true
}

/** Whether the branch and the files to be changed are what the change was made from. */
async function isStill(folder: Folder, { state, journal, isByHand }: Move): Promise<boolean> {
  const head = await readHead(folder.git, folder.fs, folder.gitdir)
  if (head?.ref !== state.head.ref || head?.commit !== state.head.commit) return false
  for (const { path, before } of isByHand ? [] : journal) {
    const found = await folder.tree.look(path)
    if (found === 'other' || (found === 'nothing' ? undefined : found.oid) !== before) return false
  }
  return true
}

/** New files first and removals last: who reads meanwhile finds a file twice rather than not at all. */
function inOrder(files: readonly JournalFile[]): readonly JournalFile[] {
  const rank = ({ before, after }: JournalFile) => (after === undefined ? 2 : before === undefined ? 0 : 1)
  return [...files].sort((left, right) => rank(left) - rank(right))
}

/** Reads the checked out commit and the files as they are; `undefined` where there is no commit. */
export async function readState(folder: Folder): Promise<State | undefined> {
  const head = await readHead(folder.git, folder.fs, folder.gitdir)
  if (head === undefined) return undefined
  const { tree } = await folder.objects.commit(head.commit)
  const entries = await folder.objects.entries(tree)
  return { head, entries, found: await folder.tree.scan(entries) }
}

/** Brings git's index to the checked out commit. For the holder of git's lock on it. */
export async function refreshIndex(folder: Folder): Promise<void> {
  const state = await readState(folder)
  if (state === undefined) return
  const { entries, found } = state
  const isThere = async (path: string) => (await lstat(join(folder.path, path)).catch(ignoreMissing)) !== undefined
  const path = join(folder.gitdir, 'index')
  await updateIndex({ path, temporary: temporaryFile(folder), entries, known: found, isThere })
}

/** Ends a change that was killed on its way, and sweeps what it left. Only for the holder of the folder's lock. */
export async function recover(folder: Folder): Promise<void> {
  await sweep(folder)
  const index = join(folder.gitdir, 'index.lock')
  // Also without a journal: a folder that was being begun has none yet.
  await removeLeftLock(index)
  const text = await readFile(journalPath(folder), 'utf8').catch(ignoreMissing)
  if (text === undefined) return
  const journal = parseJournal(text)
  if (journal) await removeLeftLock(join(folder.gitdir, `${journal.ref}.lock`))
  const patience = { wait: folder.wait, milliseconds: GIT_PATIENCE }
  const hasIndex = await lockFile(index, temporaryFile(folder), patience)
  try {
    await rollForward(folder, journal?.files ?? [])
    if (hasIndex) await refreshIndex(folder)
  } finally {
    if (hasIndex) await rm(index, { force: true })
  }
  await rm(journalPath(folder), { force: true })
}

/** Files that still are what they were before get what the checked out commit has. */
export async function rollForward(folder: Folder, files: readonly JournalFile[]): Promise<void> {
  const head = await readHead(folder.git, folder.fs, folder.gitdir)
  if (head === undefined) return
  const { tree } = await folder.objects.commit(head.commit)
  const entries = await folder.objects.entries(tree)
  for (const { path, before, after } of inOrder(files)) {
    // Not committed, or a person has committed something else since.
    if (entries.get(path)?.oid !== after) continue
    const found = await folder.tree.look(path)
    const isOld = found !== 'other' && (found === 'nothing' ? undefined : found.oid) === before
    if (!isOld) continue
    const temporary = after === undefined ? undefined : temporaryFile(folder)
    if (after !== undefined && temporary !== undefined) {
      const data = await folder.objects.blob(after)
      const isReady = await folder.tree.prepare(path, data, temporary).then(
        () => true,
        (error: unknown) => {
          if (!isNacreError(error, 'INVALID_REQUEST')) throw error
          return false
        },
      )
      // A person has put something else where its folder was: that is an edit by hand too.
      if (!isReady) continue
    }
    await folder.tree.place(path, before, temporary)
  }
}

function parseJournal(text: string): Journal | undefined {
  try {
    return JSON.parse(text) as Journal
  } catch {
    return undefined
  }
}

async function sweep({ state, gitdir }: Folder): Promise<void> {
  const temporaries = join(state, 'tmp')
  for (const name of (await readdir(temporaries).catch(ignoreMissing)) ?? []) {
    await rm(join(temporaries, name), { force: true, recursive: true })
  }
  const objects = join(gitdir, 'objects')
  for (const name of (await readdir(objects).catch(ignoreMissing)) ?? []) {
    if (name.startsWith(TEMPORARY_OBJECT)) await rm(join(objects, name), { force: true })
  }
}

/** The changes a person has made to the files since the commit that is checked out. */
export async function handEdits({ objects }: Folder, { entries, found }: State): Promise<FileChanges> {
  const edits = new Map<string, string | undefined>()
  for (const [path, { oid, text }] of found) if (entries.get(path)?.oid !== oid) edits.set(path, text)
  for (const [path, entry] of entries) {
    if (found.has(path) || !isPlainFile(entry)) continue
    // What a person has committed and is no text is none of our business, there or not.
    if (textOf(await objects.blob(entry.oid)) !== undefined) edits.set(path, undefined)
  }
  return edits
}
