import { readdir, unlink } from 'node:fs/promises'
import type { OpenFolder } from './open-folder.js'

const NAME = /^\.nacre-(\d+)-[0-9a-f]+\.tmp$/

/** Names a file that its process will rename or remove. */
export function temporaryName(process: number, unique: string): string {
  return `.nacre-${process}-${unique}.tmp`
}

const swept = new Set<string>()

/** Removes what processes that were killed have left in a folder. Once for each folder: later ones come from the living. */
export async function sweepLeftovers(folder: OpenFolder): Promise<void> {
  if (swept.has(folder.path)) return
  swept.add(folder.path)
  for (const name of await readdir(folder.at('.')).catch(() => [])) {
    const [, owner] = NAME.exec(name) ?? []
    if (owner !== undefined && !isAlive(Number(owner))) await unlink(folder.at(name)).catch(() => undefined)
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
