import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './store-error.js'

/**
 * Makes a folder and those above it that are missing, for nobody but their owner to read.
 * Node's recursive way never ends where a file system has no room for new folders and calls that a missing one, as /proc does.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  const error = await failureToMake(folder)
  if (error === undefined) return
  const parent = dirname(folder)
  if (errorCode(error) !== 'ENOENT' || parent === folder) throw error
  await makePrivateFolder(parent)
  const again = await failureToMake(folder)
  if (again !== undefined) throw again
}

/** What keeps a folder from being there; `undefined` where it is. */
async function failureToMake(folder: string): Promise<unknown> {
  try {
    await mkdir(folder, { mode: 0o700 })
    return undefined
  } catch (error) {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    )
    return isThere ? undefined : error
  }
}
