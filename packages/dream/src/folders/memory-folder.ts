import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Id } from '@nacre/core'
import { dataFolder, projectSlug, readSmallFile } from '@nacre/core/node'
import type { Logs } from '../logs/logs.js'
import { type Evidence, evidenceOf, type Memory } from '../memory/memory.js'
import { type MemorySet, readMemories } from '../memory/memory-set.js'
import { findQuote } from '../memory/statement.js'
import { readUses, type Uses } from '../memory/uses.js'
import { openRepository } from '../repository/repository.js'
import type { Files, Repository } from '../repository/types.js'
import { readTombstones, TOMBSTONES, type Tombstones } from '../rules/tombstones.js'
import { readJson, writeState } from './state-files.js'

/** What is true of a person is known in every project; the rest belongs to one. */
export type Scope = 'person' | 'project'
export const SCOPES: readonly Scope[] = ['person', 'project']

/** Everything that a folder holds, as it is now. */
interface FolderState {
  readonly files: Files
  readonly memories: MemorySet
  readonly forgotten: Tombstones
  readonly uses: Uses
}

/** One folder of memories. It is made when something is written for the first time. */
export interface MemoryFolder {
  readonly scope: Scope
  readonly path: string
  read(): Promise<FolderState>
  repository(): Promise<Repository>
  /** Memories in use whose evidence stands in the logs, and why the others are not loaded; looked up anew where that is asked for. */
  loaded(logs: Logs, isFresh?: boolean): Promise<LoadedMemories>
  /** Notes that this evidence was looked up in the logs. */
  vouch(evidence: readonly Evidence[]): Promise<void>
}

interface LoadedMemories {
  readonly memories: readonly Memory[]
  readonly unverified: ReadonlyMap<Id, string>
}

export interface MemoryPlace {
  /** The data folder: `NACRE_HOME`, or what is customary on the platform. */
  readonly home?: string
  readonly project: string
  readonly now?: () => number
}

/** The two folders that a session knows. Worktrees of one repository share that of the project. */
export async function openFolders({ home = dataFolder(), project, now = Date.now }: MemoryPlace): Promise<Folders> {
  const shared = await mainWorktree(resolve(project))
  const folder = (scope: Scope, path: string) => memoryFolder(scope, path, now)
  return {
    person: folder('person', join(home, 'memory')),
    project: folder('project', join(home, 'projects', projectSlug(shared), 'memory')),
    root: shared,
  }
}

export interface Folders {
  readonly person: MemoryFolder
  readonly project: MemoryFolder
  /** The folder of the project that memories belong to. */
  readonly root: string
}

const EMPTY: Files = new Map()
const VERIFIED = 'verified.json'

function memoryFolder(scope: Scope, path: string, now: () => number): MemoryFolder {
  let opened: Promise<Repository> | undefined
  let last: { readonly files: Files; readonly memories: MemorySet } | undefined
  const repository = () => {
    opened ??= openRepository({ path, now })
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }
  const exists = () =>
    stat(join(path, '.git')).then(
      () => true,
      () => false,
    )
  const read = async (): Promise<FolderState> => {
    const files = opened || (await exists()) ? await (await repository()).files() : EMPTY
    if (!last || !isSame(last.files, files)) last = { files, memories: readMemories(files) }
    const forgotten = readTombstones(files.get(TOMBSTONES) ?? '')
    return { ...last, forgotten, uses: await readUses(path) }
  }
  return {
    scope,
    path,
    read,
    repository,
    async loaded(logs, isFresh = false) {
      const { memories } = await read()
      return verify(path, [...memories.live.values()], logs, isFresh)
    },
    async vouch(evidence) {
      const known = await readJson<Record<string, string>>(path, VERIFIED, {})
      await writeState(path, VERIFIED, {
        ...known,
        ...Object.fromEntries(evidence.map((each) => [keyOf(each), 'yes'])),
      })
    },
  }
}

function isSame(one: Files, other: Files): boolean {
  return one === other || (one.size === other.size && [...one].every(([path, text]) => other.get(path) === text))
}

/** Looks up what was not looked up before. Work for what is new alone: each quote is looked for once. */
async function verify(
  path: string,
  memories: readonly Memory[],
  logs: Logs,
  isFresh: boolean,
): Promise<LoadedMemories> {
  const known = isFresh ? {} : await readJson<Record<string, string>>(path, VERIFIED, {})
  const found: Record<string, string> = {}
  const unverified = new Map<Id, string>()
  for (const memory of memories) {
    for (const evidence of evidenceOf(memory)) {
      const key = keyOf(evidence)
      const verdict = known[key] ?? found[key] ?? (await lookUp(evidence, logs))
      if (known[key] === undefined && verdict !== NO_LOG) found[key] = verdict
      if (verdict !== 'yes') unverified.set(memory.id, verdict)
    }
  }
  if (Object.keys(found).length > 0) await writeState(path, VERIFIED, { ...known, ...found })
  return { memories: memories.filter(({ id }) => !unverified.has(id)), unverified }
}

const NO_LOG = 'the log that it names is not here'

async function lookUp({ session, entry, quote, by, project }: Evidence, logs: Logs): Promise<string> {
  const said = await logs.said(session, project)
  if (!said) return NO_LOG
  const isThere = said.some((each) => each.entry === entry && each.by === by && findQuote(each.text, quote))
  return isThere ? 'yes' : `"${quote.slice(0, 80)}" is not in the log that it names`
}

function keyOf(evidence: Evidence): string {
  return createHash('sha256').update(JSON.stringify(evidence)).digest('hex').slice(0, 24)
}

/** The main worktree of the repository that a folder is in; the folder itself where there is none. */
async function mainWorktree(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git')
    const found = await stat(git).catch(() => undefined)
    if (found?.isDirectory()) return at === folder ? at : folder
    if (found?.isFile()) return (await commonRoot(git, at)) ?? folder
    if (dirname(at) === at) return folder
  }
}

/** `.git` of a linked worktree names its own part of the main one: `…/main/.git/worktrees/name`. */
async function commonRoot(file: string, at: string): Promise<string | undefined> {
  const [, named = ''] = /^gitdir: (.+)$/m.exec((await smallText(file)) ?? '') ?? []
  const folder = isAbsolute(named.trim()) ? named.trim() : resolve(at, named.trim())
  const common = await smallText(join(folder, 'commondir'))
  return common === undefined ? undefined : dirname(resolve(folder, common.trim()))
}

async function smallText(path: string): Promise<string | undefined> {
  return (await readSmallFile(path).catch(() => undefined))?.toString()
}
