import type { Files } from '../repository/types.js'
import { ARCHIVE, type Damage, INDEX_FILE, isDamage, isMemoryPath, type Memory, readMemory } from './memory.js'

/** What the files of a folder say. */
export interface MemorySet {
  /** By id, those in use. */
  readonly live: ReadonlyMap<string, Memory>
  readonly archived: ReadonlyMap<string, Memory>
  /** Files that are no memories. Nobody but a person touches them. */
  readonly damaged: readonly Damage[]
  readonly index: string
}

/** Reads all files of a folder. Of two files with one id the first by name keeps it; the other one is damaged. */
export function readMemories(files: Files): MemorySet {
  const live = new Map<string, Memory>()
  const archived = new Map<string, Memory>()
  const damaged: Damage[] = []
  for (const path of [...files.keys()].sort()) {
    if (!isMemoryPath(path)) continue
    const memory = readMemory(path, files.get(path) ?? '')
    if (isDamage(memory)) {
      damaged.push(memory)
      continue
    }
    const place = path.startsWith(ARCHIVE) ? archived : live
    const other = place.get(memory.id)
    if (other) damaged.push({ path, problem: `it has the id ${memory.id}, which ${other.path} has already` })
    else place.set(memory.id, memory)
  }
  return { live, archived, damaged, index: files.get(INDEX_FILE) ?? '' }
}

/** A memory by its id, the beginning of that, its file or its name; all that fit. */
export function findMemories({ live, archived }: MemorySet, wanted: string): readonly Memory[] {
  const text = wanted.trim().toLowerCase()
  const all = [...live.values(), ...archived.values()]
  const exact = all.filter(
    ({ id, path, name }) =>
      id.toLowerCase() === text ||
      path.toLowerCase() === text ||
      path.toLowerCase() === `${text}.md` ||
      name.toLowerCase() === text,
  )
  if (exact.length > 0) return exact
  return all.filter(({ id, name }) => id.toLowerCase().startsWith(text) || name.toLowerCase().includes(text))
}
