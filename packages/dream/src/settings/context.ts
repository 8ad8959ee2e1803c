import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Id, Json, NoticeEntry, SessionStore, StateEntry } from '@nacre/core'
import { readSmallFile } from '@nacre/core/node'
import { createWorkspace, type Workspace } from '../change/workspace.js'
import type { Folders, Scope } from '../folders/memory-folder.js'
import type { Logs } from '../logs/logs.js'
import type { Surroundings } from '../rules/judge.js'
import type { MemoryTasks } from '../tool/memory-tool.js'
import type { DreamFlag, Settings } from './settings.js'
import type { Spending } from './spending.js'

export const OWNER = 'dream'

/** What the parts of the plugin share in one session. */
export interface DreamContext {
  readonly sessionId: Id
  readonly settings: Settings
  readonly folders: Folders
  readonly logs: Logs
  readonly spending: Spending
  readonly tasks: MemoryTasks
  /** The folder that the session works in. */
  readonly project: string
  readonly store: SessionStore
  /** What the rules look at beside the log, as it is now. */
  surroundings(): Promise<Surroundings>
  /** Read at each use: flags change while a session runs. */
  flag(name: DreamFlag): boolean
  now(): number
  newId(): Id
}

/** Copies of both folders as they are now. */
export async function openWorkspaces({ folders }: DreamContext): Promise<Readonly<Record<Scope, Workspace>>> {
  const [person, project] = await Promise.all([folders.person.read(), folders.project.read()])
  return { person: createWorkspace(person.files), project: createWorkspace(project.files) }
}

/** An entry for `store.append`. The session gives it its own id and time. */
export function stateEntry(key: string, value: Json): StateEntry {
  return { kind: 'state', id: '', time: 0, owner: OWNER, key, value }
}

export async function notify(store: SessionStore, level: NoticeEntry['level'], text: string): Promise<void> {
  await store.append([{ kind: 'notice', id: '', time: 0, owner: OWNER, level, text }])
}

const INSTRUCTIONS = ['AGENTS.md', 'CLAUDE.md', 'NACRE.md', '.nacre/NACRE.md', '.claude/CLAUDE.md', 'GEMINI.md']

/** What the rules hold a new memory against: the repository, its instruction files, and what a person had forgotten. */
export async function readSurroundings(root: string, folders: Folders): Promise<Surroundings> {
  const texts = await Promise.all(INSTRUCTIONS.map((name) => textAt(join(root, name))))
  const manifest = await textAt(join(root, 'package.json'))
  const [person, project] = await Promise.all([folders.person.read(), folders.project.read()])
  return {
    instructions: texts.flatMap((text) => text.split('\n')).filter((line) => line.trim().length > 10),
    isInRepository(name) {
      if (/\s/.test(name)) return false
      return existsSync(isAbsolute(name) ? name : join(root, name)) || manifest.includes(`"${name}"`)
    },
    forgotten: {
      all: [...person.forgotten.all, ...project.forgotten.all],
      refuses: (memory) => person.forgotten.refuses(memory) ?? project.forgotten.refuses(memory),
    },
  }
}

/** Nothing for what can not be read: whatever lies there in place of a small file, memory works without it. */
async function textAt(path: string): Promise<string> {
  return (await readSmallFile(path).catch(() => undefined))?.toString() ?? ''
}
