import type { Id } from '@nacre/core'
import { ARCHIVE, type Gone, isDamage, type Memory, readMemory, writeMemory } from '../memory/memory.js'
import { type MemorySet, readMemories } from '../memory/memory-set.js'
import type { FileChanges, Files } from '../repository/types.js'

/** One step of a draft: the files that it touches together, and why. */
interface Step {
  readonly paths: readonly string[]
  readonly reason: string
}

/**
 * A copy of a folder to work on. Nothing of it reaches the folder before it is judged as a whole, and then by other
 * hands: a draft only writes.
 */
export interface Workspace {
  /** The files as they were. */
  readonly base: Files
  files(): Files
  memories(): MemorySet
  /** What is otherwise now, by path. */
  changes(): FileChanges
  readonly steps: readonly Step[]
  put(memory: Memory, reason: string): void
  /** Writes a file as it is, whatever it says. */
  write(path: string, text: string, reason: string): void
  /** Takes a memory out of use and puts it into the archive, word for word. */
  retire(memory: Memory, gone: Gone): void
  rename(memory: Memory, path: string, reason: string): void
}

export function createWorkspace(base: Files): Workspace {
  const now = new Map(base)
  const steps: Step[] = []
  let read: MemorySet | undefined
  const touch = (paths: readonly string[], reason: string) => {
    steps.push({ paths, reason })
    read = undefined
  }
  const memories = () => {
    read ??= readMemories(now)
    return read
  }
  const pathOf = (id: Id | undefined) => (id === undefined ? undefined : memories().live.get(id)?.path)
  return {
    base,
    steps,
    files: () => now,
    memories,
    changes() {
      const paths = [...new Set([...base.keys(), ...now.keys()])].filter((path) => base.get(path) !== now.get(path))
      return new Map(paths.map((path) => [path, now.get(path)]))
    },
    put(memory, reason) {
      now.set(memory.path, writeMemory(memory))
      touch([memory.path], reason)
    },
    write(path, text, reason) {
      now.set(path, text)
      touch([path], reason)
    },
    retire(memory, gone) {
      const into = pathOf(gone.into)
      const archived = freeArchivePath(memory.path, now)
      now.delete(memory.path)
      now.set(archived, writeMemory({ ...memory, path: archived, gone }))
      const how = { merged: 'merged into', superseded: 'superseded by', archived: 'archived', forgotten: 'forgotten' }[
        gone.how
      ]
      const what = `${memory.name}: ${how}${gone.into === undefined ? '' : ` ${memories().live.get(gone.into)?.name ?? gone.into}`}`
      touch([memory.path, archived, ...(into === undefined ? [] : [into])], `${what}: ${gone.reason}`)
    },
    rename(memory, path, reason) {
      now.delete(memory.path)
      now.set(path, writeMemory({ ...memory, path }))
      touch([memory.path, path], reason)
    },
  }
}

function freeArchivePath(path: string, files: Files): string {
  const base = `${ARCHIVE}${path.replace(/\.md$/, '')}`
  for (let number = 1; ; number++) {
    const free = `${base}${number === 1 ? '' : `-${number}`}.md`
    if (!files.has(free)) return free
  }
}

/** Files that have to be taken or left together, with the reasons for what happens to them. */
export interface Group {
  readonly edits: readonly FileEdit[]
  readonly reasons: readonly string[]
}

export interface FileEdit {
  readonly path: string
  readonly before?: string
  readonly after?: string
}

/** Parts a draft into what can be decided alone: files that one step has touched belong together. */
export function groupsOf({ base, changes, steps }: Workspace): readonly Group[] {
  const changed = changes()
  const parent = new Map<string, string>()
  const root = (path: string): string => {
    const up = parent.get(path) ?? path
    return up === path ? path : root(up)
  }
  for (const { paths } of steps) {
    const [first, ...rest] = paths
    for (const path of rest) if (first !== undefined) parent.set(root(path), root(first))
  }
  const groups = new Map<string, { edits: FileEdit[]; reasons: Set<string> }>()
  for (const [path, after] of changed) {
    const key = root(path)
    const group = groups.get(key) ?? { edits: [], reasons: new Set() }
    const before = base.get(path)
    group.edits.push({ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) })
    groups.set(key, group)
  }
  for (const { paths, reason } of steps) {
    const group = groups.get(root(paths[0] ?? ''))
    group?.reasons.add(reason)
  }
  return [...groups.values()].map(({ edits, reasons }) => ({ edits, reasons: [...reasons] }))
}

/** The files with some groups of a draft made and the others left. */
export function withGroups(base: Files, groups: readonly Group[]): Files {
  const files = new Map(base)
  for (const { path, after } of groups.flatMap(({ edits }) => edits)) {
    if (after === undefined) files.delete(path)
    else files.set(path, after)
  }
  return files
}

/** The memory that a file holds; `undefined` where it holds none. */
export function memoryAt(files: Files, path: string): Memory | undefined {
  const text = files.get(path)
  if (text === undefined) return undefined
  const read = readMemory(path, text)
  return isDamage(read) ? undefined : read
}
