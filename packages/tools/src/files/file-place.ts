import { basename, dirname, join } from 'node:path'
import type { ToolContext } from '@nacre/core'
import type { PathGuard } from '../paths/path-guard.js'
import { realPath } from '../paths/real-path.js'
import { inFolder, type OpenFolder } from './open-folder.js'

/** A file by its name in a folder that is held open. */
export interface FilePlace {
  readonly folder: OpenFolder
  readonly name: string
  /** The real path. */
  readonly path: string
}

export interface PlaceOptions {
  readonly guard?: PathGuard | undefined
  /** Makes the folders that are missing. */
  readonly isMade?: boolean
}

/**
 * Goes to where a path leads, and works there once the guard has let the call pass. From then on links that are swapped
 * lead nowhere else: the folder is held, and the file itself must not be a link.
 */
export async function atPlace<Result>(
  asked: string,
  { callId, cwd }: Pick<ToolContext, 'callId' | 'cwd'>,
  { guard, isMade = false }: PlaceOptions,
  work: (place: FilePlace) => Promise<Result>,
): Promise<Result> {
  const real = await realPath(asked, cwd)
  const name = basename(real)
  // Before anything is made, and again for what was opened.
  if (isMade) guard?.verify(callId, real)
  return inFolder(dirname(real), isMade, (folder) => {
    const path = join(folder.path, name)
    guard?.verify(callId, path)
    if (path !== real) throw new Error(`${asked} was moved while it was being opened. Try again.`)
    return work({ folder, name, path })
  })
}
