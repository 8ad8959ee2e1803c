import { randomBytes } from 'node:crypto'
import { type Id, isNacreError, NacreError, type Store } from '@nacre/core'
import { acceptItem, type InboxItem, readInbox, rejectItem } from '../change/inbox.js'
import { type Folders, type MemoryFolder, openFolders, SCOPES, type Scope } from '../folders/memory-folder.js'
import { readJson, removeState, writeState } from '../folders/state-files.js'
import { type Logs, openLogs } from '../logs/logs.js'
import { pointersIn } from '../memory/index-file.js'
import { INDEX_FILE, type Memory, type MemoryType } from '../memory/memory.js'
import { findMemories } from '../memory/memory-set.js'
import type { Commit, FileDiff, Repository } from '../repository/types.js'
import { rankerOf } from '../rules/probes.js'
import { TOMBSTONES } from '../rules/tombstones.js'
import { type Bill, createSpending } from '../settings/spending.js'
import {
  addMemory,
  editMemory,
  forgetMemory,
  type Imported,
  importFiles,
  type PurgeReport,
  pinMemory,
  purgeMemory,
} from './change-memory.js'
import { type Finding, verifyMemories } from './verify.js'

/** A memory as people see it. */
export interface MemoryView {
  readonly scope: Scope
  readonly memory: Memory
  /** Whether its line stands in the index, and so in the prompt from the start. */
  readonly isIndexed: boolean
  /** Why it is not loaded; absent where it is. */
  readonly unverified?: string
  readonly uses: number
  readonly cited: number
}

export interface CommitView {
  readonly scope: Scope
  readonly commit: Commit
}

export interface InboxView {
  readonly scope: Scope
  readonly item: InboxItem
}

/** Everything that a person can do with the memories of a project and their own. */
export interface Memories {
  readonly folders: Folders
  /** In use, pinned ones first; with the archive where that is asked for. */
  list(options?: { readonly withArchive?: boolean }): Promise<readonly MemoryView[]>
  /** One by its name, file or id; throws with those that are near. */
  show(wanted: string): Promise<MemoryView & { readonly text: string }>
  search(query: string, limit?: number): Promise<readonly MemoryView[]>
  add(text: string, options?: AddOptions): Promise<MemoryView>
  /** Another text for the file of a memory, as an editor would leave it. */
  edit(wanted: string, text: string): Promise<MemoryView>
  pin(wanted: string, isPinned: boolean): Promise<MemoryView>
  /** Into the archive, and never extracted again. */
  forget(wanted: string): Promise<MemoryView>
  /** Out of the folder, its history and its objects. Names the logs that still hold it. */
  purge(wanted: string): Promise<PurgeReport>
  log(options?: { readonly memory?: string; readonly limit?: number }): Promise<readonly CommitView[]>
  diff(commit: string): Promise<CommitView & { readonly files: readonly FileDiff[] }>
  /** The last change unless told. */
  undo(commit?: string): Promise<CommitView>
  blame(wanted: string): Promise<readonly { readonly text: string; readonly commit: Commit }[]>
  /** Looks whether evidence, paths and commands named in memories are still there. */
  verify(): Promise<readonly Finding[]>
  inbox(): Promise<readonly InboxView[]>
  accept(id: string): Promise<CommitView>
  reject(id: string): Promise<InboxView>
  /** Nothing is extracted and nothing dreams until it is resumed. */
  pause(isPaused: boolean): Promise<void>
  isPaused(): Promise<boolean>
  cost(): Promise<readonly { readonly day: string; readonly bills: readonly Bill[] }[]>
  /** Takes in memory files that a person already has. */
  import(paths: readonly string[], options?: { readonly scope?: Scope }): Promise<Imported>
}

export interface AddOptions {
  readonly type?: MemoryType
  readonly name?: string
  readonly scope?: Scope
}

export interface MemoriesOptions {
  readonly home?: string
  /** The folder of the project; the current one unless told. */
  readonly project?: string
  readonly store?: Store
  readonly now?: () => number
  readonly newId?: () => Id
}

const PAUSED = 'paused.json'

export async function openMemories(options: MemoriesOptions = {}): Promise<Memories> {
  const { home, project = process.cwd(), store, now = Date.now, newId = newMemoryId } = options
  const place = { project, now, ...(home !== undefined && { home }) }
  const folders = await openFolders(place)
  const logs = openLogs({ project, ...(home !== undefined && { home }), ...(store && { store }) })
  const effects = { now, newId }
  const find = (wanted: string) => findOne(folders, wanted)
  const changed = async (change: Promise<Memory>, scope: Scope) => viewOf(folders, logs, scope, (await change).id)
  return {
    folders,
    list: ({ withArchive = false } = {}) => listAll(folders, logs, withArchive),
    async show(wanted) {
      const { scope, memory } = await find(wanted)
      const { files } = await folders[scope].read()
      return { ...(await viewOf(folders, logs, scope, memory.id)), text: files.get(memory.path) ?? '' }
    },
    async search(query, limit = 10) {
      const all = await listAll(folders, logs, false)
      const found = rankerOf(all.map(({ memory }) => memory)).rank(query, { limit })
      return found.flatMap(({ id }) => all.find(({ memory }) => memory.id === id) ?? [])
    },
    async add(text, given = {}) {
      const { scope, memory } = await addMemory(folders, text, given, effects)
      return viewOf(folders, logs, scope, memory.id)
    },
    async edit(wanted, text) {
      const { scope, memory } = await find(wanted)
      return changed(editMemory(folders[scope], memory, text, effects), scope)
    },
    async pin(wanted, isPinned) {
      const { scope, memory } = await find(wanted)
      return changed(pinMemory(folders[scope], memory, isPinned), scope)
    },
    async forget(wanted) {
      const { scope, memory } = await find(wanted)
      return changed(forgetMemory(folders[scope], memory, effects), scope)
    },
    async purge(wanted) {
      const { scope, memory } = await find(wanted)
      return purgeMemory(folders[scope], memory, logs, effects)
    },
    log: (wanted = {}) => history(folders, wanted),
    async diff(id) {
      const { scope, commit } = await findCommit(folders, id)
      return { scope, commit, files: await (await folders[scope].repository()).diff(commit.id) }
    },
    async undo(id) {
      const { scope, commit } = id === undefined ? await lastChange(folders) : await findCommit(folders, id)
      return { scope, commit: await undoChange(await folders[scope].repository(), commit) }
    },
    async blame(wanted) {
      const { scope, memory } = await find(wanted)
      return (await folders[scope].repository()).blame(memory.path)
    },
    verify: () => verifyMemories(folders, logs),
    inbox: () => allInbox(folders),
    async accept(id) {
      const { scope, item } = await findInbox(folders, id)
      return { scope, commit: await acceptItem(folders[scope], item.id) }
    },
    async reject(id) {
      const { scope, item } = await findInbox(folders, id)
      return { scope, item: await rejectItem(folders[scope], item.id) }
    },
    async pause(isPaused) {
      if (isPaused) await writeState(folders.project.path, PAUSED, { since: now() })
      else await removeState(folders.project.path, PAUSED)
    },
    isPaused: () => isPaused(folders.project),
    cost: () => createSpending(home, now).days(),
    import: (paths, { scope = 'project' } = {}) => importFiles(folders[scope], paths, effects),
  }
}

/** Whether a person wants nothing to be extracted or dreamt in a project for now. */
export async function isPaused({ path }: Pick<MemoryFolder, 'path'>): Promise<boolean> {
  return (await readJson<unknown>(path, PAUSED, undefined)) !== undefined
}

export function newMemoryId(): Id {
  return `m-${randomBytes(5).toString('hex')}`
}

async function listAll(folders: Folders, logs: Logs, withArchive: boolean): Promise<readonly MemoryView[]> {
  const lists = await Promise.all(
    SCOPES.map(async (scope): Promise<readonly MemoryView[]> => {
      const { memories, uses } = await folders[scope].read()
      const { unverified } = await folders[scope].loaded(logs)
      const indexed = new Set(pointersIn(memories.index))
      const all = [...memories.live.values(), ...(withArchive ? memories.archived.values() : [])]
      return all.map((memory) => {
        const why = unverified.get(memory.id)
        const { queries, cited } = uses.of(memory.id)
        const isIndexed = indexed.has(memory.path)
        return { scope, memory, isIndexed, uses: queries, cited, ...(why !== undefined && { unverified: why }) }
      })
    }),
  )
  return lists.flat().sort((a, b) => Number(b.memory.isPinned) - Number(a.memory.isPinned))
}

async function viewOf(folders: Folders, logs: Logs, scope: Scope, id: Id): Promise<MemoryView> {
  const all = await listAll(folders, logs, true)
  return all.find((view) => view.scope === scope && view.memory.id === id) as MemoryView
}

async function findOne(folders: Folders, wanted: string): Promise<{ readonly scope: Scope; readonly memory: Memory }> {
  const found = (
    await Promise.all(
      SCOPES.map(async (scope) =>
        findMemories((await folders[scope].read()).memories, wanted).map((memory) => ({ scope, memory })),
      ),
    )
  ).flat()
  const live = found.filter(({ memory }) => !memory.gone)
  const chosen = live.length > 0 ? live : found
  if (chosen.length === 1) return chosen[0] as { scope: Scope; memory: Memory }
  if (chosen.length > 1) {
    const names = chosen.map(({ memory }) => `${memory.name} (${memory.id})`).join(', ')
    throw new NacreError('INVALID_REQUEST', `'${wanted}' may be ${names}. Give the id.`)
  }
  throw new NacreError('NOT_FOUND', `There is no memory '${wanted}'. List them, or search for words.`)
}

async function history(
  folders: Folders,
  { memory: wanted, limit = 50 }: { readonly memory?: string; readonly limit?: number },
): Promise<readonly CommitView[]> {
  if (wanted !== undefined) {
    const { scope, memory } = await findOne(folders, wanted)
    const commits = await (await folders[scope].repository()).log({ path: memory.path, limit })
    return commits.map((commit) => ({ scope, commit }))
  }
  const all = await Promise.all(
    SCOPES.map(async (scope) => {
      if ((await folders[scope].read()).files.size === 0) return []
      return (await (await folders[scope].repository()).log({ limit })).map((commit) => ({ scope, commit }))
    }),
  )
  return all
    .flat()
    .sort((a, b) => b.commit.time - a.commit.time)
    .slice(0, limit)
}

async function lastChange(folders: Folders): Promise<CommitView> {
  const all = await history(folders, { limit: 100 })
  const last = all.find(({ commit }) => commit.cause.by !== 'hand' && commit.cause.by !== 'undo')
  if (last) return last
  throw new NacreError('NOT_FOUND', 'There is no change that could be undone.')
}

/** Files of lines that stand for themselves: what one change did to them can be taken back beside what came later. */
const OF_LINES: readonly string[] = [INDEX_FILE, TOMBSTONES]

/** Takes a change back to the byte; where lists have grown since, their other lines stay. */
async function undoChange(repository: Repository, commit: Commit): Promise<Commit> {
  try {
    return await repository.undo(commit.id)
  } catch (error) {
    if (!isNacreError(error, 'INVALID_REQUEST')) throw error
    const diff = await repository.diff(commit.id)
    const undone = await repository.change({ by: 'undo', summary: `Undo: ${commit.cause.summary}` }, ({ files }) => {
      const isFree = diff.every(({ path, after }) => OF_LINES.includes(path) || files.get(path) === after)
      if (!isFree) throw error
      return new Map(
        diff.map(({ path, before, after }) => [
          path,
          OF_LINES.includes(path) ? withoutLines(files.get(path) ?? '', before, after) : before,
        ]),
      )
    })
    if (!undone) throw error
    return undone
  }
}

function withoutLines(now: string, before = '', after = ''): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  const added = new Set(fresh.filter((line) => line !== '' && !old.includes(line)))
  const kept = now.split('\n').filter((line) => !added.has(line))
  const back = old.filter((line) => line !== '' && !fresh.includes(line) && !kept.includes(line))
  return `${[
    ...kept
      .join('\n')
      .trimEnd()
      .split('\n')
      .filter((line, index, all) => line !== '' || index < all.length - 1),
    ...back,
  ].join('\n')}\n`
}

async function findCommit(folders: Folders, id: string): Promise<CommitView> {
  for (const scope of SCOPES) {
    if ((await folders[scope].read()).files.size === 0) continue
    try {
      return { scope, commit: await (await folders[scope].repository()).find(id) }
    } catch (error) {
      if (!isNacreError(error, 'NOT_FOUND')) throw error
    }
  }
  throw new NacreError('NOT_FOUND', `There is no change '${id}'. The log lists them.`)
}

async function allInbox(folders: Folders): Promise<readonly InboxView[]> {
  const all = await Promise.all(
    SCOPES.map(async (scope) => (await readInbox(folders[scope])).map((item) => ({ scope, item }))),
  )
  return all.flat().sort((a, b) => a.item.time - b.item.time)
}

async function findInbox(folders: Folders, id: string): Promise<InboxView> {
  const found = (await allInbox(folders)).filter(
    ({ item }) => id.trim() !== '' && item.id.startsWith(id.trim().toLowerCase()),
  )
  if (found.length === 1) return found[0] as InboxView
  const problem =
    found.length === 0 ? `Nothing in the inbox has the id '${id}'.` : `More than one id begins with '${id}'.`
  throw new NacreError('NOT_FOUND', `${problem} The inbox lists them.`)
}
