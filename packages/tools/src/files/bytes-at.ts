import { basename, dirname } from 'node:path'
import { type FileBytes, fileBytes } from './file-bytes.js'
import { inFolder } from './open-folder.js'

/** What is at a real path that was found earlier; `undefined` when it is gone, or leads elsewhere by now. */
export async function bytesAt(path: string, signal?: AbortSignal): Promise<FileBytes | undefined> {
  try {
    return await inFolder(dirname(path), false, async (folder) => {
      if (folder.path !== dirname(path)) return undefined
      return fileBytes({ folder, name: basename(path), path }, signal)
    })
  } catch {
    signal?.throwIfAborted()
    return undefined
  }
}
