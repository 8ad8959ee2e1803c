import { type Memory, type MemoryType, writeMemory } from '../../src/memory/memory.js'
import type { Stage } from './stage.js'

export interface GivenMemory {
  readonly id: string
  readonly text: string
  readonly type?: MemoryType
  readonly name?: string
  readonly confirmed?: string
  readonly isPinned?: boolean
  readonly source?: Memory['source']
}

/** A memory as a person would have written it, on some day. */
export function given({
  id,
  text,
  type = 'project',
  name = id,
  confirmed = '2026-10-01',
  isPinned = false,
  source,
}: GivenMemory): Memory {
  return {
    id,
    path: `${id}.md`,
    name,
    description: `about ${id}`,
    type,
    source: source ?? { kind: 'hand' },
    created: confirmed,
    confirmed,
    isPinned,
    body: text,
    rest: {},
  }
}

/** Lays memories into the folder of the project. */
export async function lay(stage: Stage, ...memories: readonly GivenMemory[]): Promise<void> {
  const repository = await (await stage.memories()).folders.project.repository()
  const files = memories.map((memory) => [`${memory.id}.md`, writeMemory(given(memory))] as const)
  await repository.change({ by: 'person', summary: 'Laid' }, () => new Map(files))
}

/** The files of the project's folder, without what is no memory. */
export async function files(stage: Stage): Promise<ReadonlyMap<string, string>> {
  return (await (await stage.memories()).folders.project.read()).files
}
