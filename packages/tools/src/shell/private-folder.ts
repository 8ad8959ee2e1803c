import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that nobody else may look into, made when it is first needed. */
export interface PrivateFolder {
  path(): Promise<string>
  remove(): Promise<void>
}

export function privateFolder(parent = tmpdir()): PrivateFolder {
  let made: Promise<string> | undefined
  return {
    path() {
      made ??= mkdtemp(join(parent, 'nacre-shell-'))
      // Next time there may be room again.
      made.catch(() => {
        made = undefined
      })
      return made
    },
    async remove() {
      const path = await made?.catch(() => undefined)
      made = undefined
      if (path !== undefined) await rm(path, { recursive: true, force: true }).catch(() => undefined)
    },
  }
}
