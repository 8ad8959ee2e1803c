import { constants, existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A folder that is held open: what happens to its path meanwhile does not change where its names lead. */
export interface OpenFolder {
  /** The real path of what was opened. */
  readonly path: string
  at(name: string): string
  /** Makes what was renamed in it survive a loss of power. */
  sync(): Promise<void>
}

// Where the system names open folders as paths, every name is looked up in the folder itself; elsewhere by its path.
const HELD = '/proc/self/fd'
const canHold = existsSync(HELD)
const FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Works in a folder given by its real path, and makes it first where it is missing and that is asked for. */
export async function inFolder<Result>(
  path: string,
  isMade: boolean,
  work: (folder: OpenFolder) => Promise<Result>,
): Promise<Result> {
  if (process.platform === 'win32') {
    if (isMade) await mkdir(path, { recursive: true })
    return work({ path: await realpath(path), at: (name) => join(path, name), sync: async () => undefined })
  }
  const handle = await openHandle(path, isMade)
  try {
    return await work(await folderOf(handle, path))
  } finally {
    await handle.close()
  }
}

async function folderOf(handle: FileHandle, path: string): Promise<OpenFolder> {
  const held = canHold ? `${HELD}/${handle.fd}` : path
  return {
    path: canHold ? await readlink(held) : await realpath(path),
    at: (name) => `${held}/${name}`,
    sync: () => handle.sync(),
  }
}

/** Missing folders are made one by one, each in the one that was opened before. */
async function openHandle(path: string, isMade: boolean): Promise<FileHandle> {
  try {
    return await open(path, FLAGS)
  } catch (error) {
    const parent = dirname(path)
    if (!isMade || (error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    return inFolder(parent, true, async (folder) => {
      if (folder.path !== parent) throw new Error(`${path} was moved while it was being made. Try again.`)
      await mkdir(folder.at(basename(path))).catch(unlessThere)
      return open(folder.at(basename(path)), FLAGS)
    })
  }
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
