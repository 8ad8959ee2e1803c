import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isNacreError, NacreError } from '@nacre/core'
import { type Lock, makePrivateFolder } from '@nacre/core/node'
import { atomicFs, errorCode, unwritable } from './atomic-fs.js'
import { begin, hasBegun, OWN_IGNORE } from './begin.js'
import { blameFile } from './blame.js'
import { commitFiles, type Folder, handEdits, isUnfinished, readState, recover, type State } from './commit-files.js'
import { mustBeOnBranch, readHead } from './head.js'
import { findCommit, readDiff, readFilesAt, readLog, toCommit } from './history.js'
import { hasConflicts } from './index-file.js'
import { openObjects } from './objects.js'
import { diskKey, isReservedName, PRIVATE, pathProblem, refusedPath, textProblem } from './paths.js'
import { isPurging, purgeHistory, recoverPurge } from './purge.js'
import type { Cause, Commit, FileChanges, FileDiff, Files, Repository, Snapshot } from './types.js'
import { openWorkingTree } from './working-tree.js'
import { createWriteLock, type WithLock } from './write-lock.js'

export interface RepositoryOptions {
  readonly path: string
  /** Milliseconds; the time of commits and locks. */
  readonly now?: () => number
  readonly newId?: () => string
  /** From 0 to below 1: how those who wait for a lock differ. */
  readonly random?: () => number
  readonly wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  /** Ends the waiting for a lock, not a change that is being made. */
  readonly signal?: AbortSignal
  /** Who made the commits, to git clients. */
  readonly author?: { readonly name: string; readonly email: string }
}

const ATTEMPTS = 5

/** Opens the memory folder at a path, and makes it one where it is none. Ends what a killed process has left undone. */
export async function openRepository(options: RepositoryOptions): Promise<Repository> {
  const folder = await openFolder(options)
  const { random = Math.random } = options
  const withLock = createWriteLock({
    path: join(folder.state, 'lock'),
    now: folder.now,
    random,
    wait: folder.wait,
    onClock: (time) => folder.tree.setClock(time),
  })
  const isReady = async () => !(await isUnfinished(folder)) && !(await isPurging(folder)) && (await hasBegun(folder))
  const prepared: WithLock = (run) =>
    withLock(async (lock) => {
      await recoverPurge(folder)
      await recover(folder)
      if (!(await hasBegun(folder))) await begin(folder)
      return run(lock)
    }).catch((error: unknown) => {
      throw explained(folder, error)
    })
  /** For those who only read the history: it is gone for a moment when another process purges. */
  const begun = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    if (!(await hasBegun(folder))) await prepared(async () => undefined)
    return read()
  }
  if (!(await isReady())) await prepared(async () => undefined)

  const readQuietly = () => quietState(folder, isReady, () => prepared(async () => undefined))
  const snapshot = async () => {
    const state = await readQuietly()
    if (state && (await handEdits(folder, state)).size === 0) return snapshotOf(state)
    return prepared(async (lock) => snapshotOf(await commitHandEdits(folder, lock)))
  }

  const change = async (cause: Cause, make: Parameters<Repository['change']>[1]) =>
    prepared(async (lock) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const state = await commitHandEdits(folder, lock)
        const wanted = await make(snapshotOf(state))
        if (wanted === undefined) return undefined
        const changes = await checkedChanges(folder, state, wanted)
        if (changes === 'outdated') continue
        if (changes.size === 0) return undefined
        const commit = await commitFiles(folder, lock, { state, cause, changes })
        if (commit !== undefined) return toCommit(await folder.objects.commit(commit))
      }
      throw tooBusy(folder)
    })

  return {
    path: folder.path,
    async files() {
      const state = (await readQuietly()) ?? (await prepared(() => mustRead(folder)))
      return textsOf(state)
    },
    snapshot,
    change,
    log: (wanted) => begun(() => readLog(folder, wanted)),
    find: (id) => begun(async () => toCommit(await findCommit(folder, id))),
    diff: (id) => begun(async () => readDiff(folder, await findCommit(folder, id))),
    at: (id) => begun(async () => readFilesAt(folder, await findCommit(folder, id))),
    undo: (id) => undo(folder, change, id),
    async blame(path) {
      await snapshot()
      return blameFile(folder, path)
    },
    purge: (purged) =>
      prepared(async (lock) => {
        await commitHandEdits(folder, lock)
        await purgeHistory(folder, purged)
      }),
  }
}

async function openFolder(options: RepositoryOptions): Promise<Folder> {
  const { now = Date.now, newId = randomUUID, signal, author = NACRE } = options
  const { wait = (milliseconds, until) => setTimeout(milliseconds, undefined, { signal: until }) } = options
  const path = resolve(options.path)
  const state = join(path, PRIVATE)
  await makePrivateFolder(join(state, 'tmp'))
  const gitdir = join(path, '.git')
  // It is loaded here and not with the package, since it takes as long as everything else together.
  const git = await import('isomorphic-git')
  const fs = atomicFs(join(state, 'tmp'), newId, now)
  const objects = openObjects(git, fs, gitdir)
  const tree = openWorkingTree({ path, gitdir, git, fs, ownIgnore: OWN_IGNORE })
  const waitOrStop = async (milliseconds: number) => {
    try {
      await wait(milliseconds, signal)
    } catch (error) {
      throw new NacreError('ABORTED', `Stopped while waiting for the memory folder ${path}.`, { cause: error })
    }
  }
  return { path, gitdir, state, git, fs, objects, tree, author, now, newId, wait: waitOrStop }
}

const NACRE = { name: 'nacre', email: 'nacre@localhost' }

/** The state as it is when nobody changes it meanwhile; `undefined` when somebody always does. */
async function quietState(
  folder: Folder,
  isReady: () => Promise<boolean>,
  prepare: () => Promise<void>,
): Promise<State | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (!(await isReady())) await prepare()
    // Objects may vanish meanwhile, when another process purges.
    const state = await readState(folder).catch((error: unknown) => {
      if (attempt + 1 === ATTEMPTS || !isNacreError(error, 'STORE_CORRUPT')) throw error
    })
    const head = await readHead(folder.git, folder.fs, folder.gitdir)
    if (state && head?.commit === state.head.commit && (await isReady())) return state
  }
  return undefined
}

/** What the file system refuses below the folder is told with what to do; any other error is its maker's. */
function explained({ path }: Folder, error: unknown): unknown {
  const isOurs = error instanceof Error && 'path' in error && String(error.path).startsWith(path)
  if (!isOurs || isNacreError(error)) return error
  const advice = 'Look at its permissions and at the space on the disk; what was begun is ended by the next change.'
  return unwritable(`The memory folder ${path} can't be written (${errorCode(error)}). ${advice}`, error)
}

async function mustRead(folder: Folder): Promise<State> {
  const state = await readState(folder)
  if (state === undefined) throw new NacreError('STORE_CORRUPT', `${folder.gitdir} has no commit. Try again.`)
  return state
}

/** Commits what a person has edited, as such, and gives the state after it. */
async function commitHandEdits(folder: Folder, lock: Lock): Promise<State> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const state = await mustRead(folder)
    await mustBeOnBranch(folder.gitdir, state.head)
    const changes = await handEdits(folder, state)
    if (changes.size === 0) return state
    if (await hasConflicts(join(folder.gitdir, 'index'))) {
      throw unwritable(
        `Git waits for a choice between versions of files in ${folder.path}. Make it there, then \`git add\`.`,
      )
    }
    await commitFiles(folder, lock, { state, cause: handCause(state, changes), changes, isByHand: true })
  }
  throw tooBusy(folder)
}

const MOST_NAMES = 3
const MOST_DETAILS = 50

function handCause({ entries }: State, changes: FileChanges): Cause {
  const paths = [...changes.keys()]
  const names = paths.slice(0, MOST_NAMES).join(', ')
  const more = paths.length > MOST_NAMES ? ` and ${paths.length - MOST_NAMES} more` : ''
  const verb = (path: string) => (changes.get(path) === undefined ? 'Removed' : entries.has(path) ? 'Changed' : 'Added')
  const details = paths.slice(0, MOST_DETAILS).map((path) => `${verb(path)} ${path}`)
  return { by: 'hand', summary: `Edited by hand: ${names}${more}`, details }
}

function tooBusy({ path }: Folder): NacreError {
  const message = `The files in ${path} are edited faster than they can be committed. Try again when nobody writes there.`
  return new NacreError('SESSION_BUSY', message)
}

function textsOf({ found }: State): Files {
  return new Map([...found].map(([path, { text }]) => [path, text]))
}

function snapshotOf(state: State): Snapshot {
  return { commit: state.head.commit, files: textsOf(state) }
}

/** What would really change, or the reason why it can't; outdated when a person has just made one of the files. */
async function checkedChanges(
  folder: Folder,
  { entries, found }: State,
  wanted: FileChanges,
): Promise<FileChanges | 'outdated'> {
  const changes = new Map<string, string | undefined>()
  const taken = new Map([...entries.keys()].map((path) => [diskKey(path), path]))
  for (const [path, text] of wanted) {
    const isKnown = found.has(path)
    if (found.get(path)?.text === text) continue
    const problem = isKnown ? path.split('/').some(isReservedName) && 'it is not for memories' : pathProblem(path)
    if (problem) throw refusedPath(path, problem)
    const badText = text === undefined ? undefined : textProblem(text)
    if (badText !== undefined) throw refusedPath(path, badText)
    const twin = taken.get(diskKey(path))
    if (twin !== undefined && twin !== path) throw refusedPath(path, `on some disks it is the same file as ${twin}`)
    taken.set(diskKey(path), path)
    if (!isKnown && (await folder.tree.look(path)) !== 'nothing') {
      if ((await folder.tree.scan(entries)).has(path)) return 'outdated'
      throw refusedPath(path, 'there is something of that name which is no part of memory')
    }
    changes.set(path, text)
  }
  for (const path of changes.keys()) mustHaveRoom(path, taken)
  return changes
}

/** No file can be where a folder is. */
function mustHaveRoom(path: string, taken: ReadonlyMap<string, string>): void {
  const names = path.split('/')
  for (const [depth] of names.entries()) {
    const above = depth > 0 && taken.get(diskKey(names.slice(0, depth).join('/')))
    if (above) throw refusedPath(path, `${above} is a file and no folder`)
  }
}

async function undo(folder: Folder, change: Repository['change'], id: string): Promise<Commit> {
  const target = await findCommit(folder, id)
  const name = target.id.slice(0, 12)
  const [parent, ...others] = target.parents
  if (parent === undefined || others.length > 0) throw cannotUndo(name, target.parents.length)
  const { cause } = toCommit(target)
  const diffs = await readDiff(folder, target)
  const touched = await folder.objects.compare((await folder.objects.commit(parent)).tree, target.tree)
  const strange = [...touched.keys()].filter((path) => !diffs.some((diff) => diff.path === path))
  if (strange.length > 0) {
    const message = `Commit ${name} can't be undone: ${strange.join(', ')} is no text.`
    throw new NacreError('INVALID_REQUEST', `${message} Use \`git revert ${name}\` in the folder.`)
  }
  const details = [`Takes back ${name}, by ${cause.by}.`]
  const by = { by: 'undo', summary: undoSummary(cause.summary), details } as const
  const commit = await change(by, (now) => takenBack(name, diffs, now.files))
  if (commit) return commit
  throw new NacreError('INVALID_REQUEST', `Commit ${name} changed no files: there is nothing to undo.`)
}

/** The files as they were before a commit, if nobody has changed them since. */
function takenBack(id: string, diffs: readonly FileDiff[], files: Files): FileChanges {
  const changed = diffs.filter(({ path, after }) => files.get(path) !== after).map(({ path }) => path)
  if (changed.length > 0) {
    const message = `Commit ${id} can't be undone: ${changed.join(', ')} changed since.`
    throw new NacreError('INVALID_REQUEST', `${message} Undo the later changes first, newest first.`)
  }
  return new Map(diffs.map(({ path, before }) => [path, before]))
}

/** Taking back what was taken back is to do it again. */
function undoSummary(summary: string): string {
  const [, what] = /^Undo: (.*)$/.exec(summary) ?? []
  if (what !== undefined) return `Redo: ${what}`
  return `Undo: ${summary.replace(/^Redo: /, '')}`
}

function cannotUndo(id: string, parents: number): NacreError {
  const message =
    parents === 0
      ? `Commit ${id} is the first one: there is nothing before it to go back to.`
      : `Commit ${id} is a merge, and git alone knows which side to keep. Use \`git revert -m\` in the folder.`
  return new NacreError('INVALID_REQUEST', message)
}
