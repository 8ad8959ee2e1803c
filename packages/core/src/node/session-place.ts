import { join } from 'node:path'
import type { Id } from '../log/entry.js'
import { toFileName } from './file-name.js'
import { makePrivateFolder } from './make-private-folder.js'
import { unwritable } from './store-error.js'

/** Where the parts of a session lie in its project's folder. */
export interface SessionPlace {
  readonly log: string
  readonly blobs: string
  readonly lock: string
}

export function sessionPlace(folder: string, session: Id): SessionPlace {
  const name = toFileName(session)
  return {
    log: join(folder, `${name}.jsonl`),
    blobs: join(folder, `${name}.blobs`),
    lock: join(folder, 'locks', `session-${name}`),
  }
}

export function leasePlace(folder: string, name: string): string {
  return join(folder, 'locks', `lease-${toFileName(name)}`)
}

/** Makes a project's folder, for nobody but its owner to read. */
export async function makeFolder(folder: string): Promise<void> {
  const locks = join(folder, 'locks')
  await makePrivateFolder(locks).catch((error: unknown) => {
    throw unwritable(error, locks)
  })
}
