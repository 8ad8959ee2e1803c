import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { FilePlace } from './file-place.js'

/** What a file held when it was read. */
export interface FileBytes {
  readonly bytes: Buffer
  readonly stats: Stats
}

const MOST_BYTES = 256 * 1024 * 1024

// Without NONBLOCK the open of a pipe would wait for somebody to write into it.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Reads a file whole; `undefined` when there is none. Throws for what is no file, or too large. */
export async function fileBytes(
  { folder, name, path }: FilePlace,
  signal?: AbortSignal,
): Promise<FileBytes | undefined> {
  const handle = await open(folder.at(name), FLAGS).catch(missing)
  if (!handle) return undefined
  try {
    return await read(handle, path, signal)
  } finally {
    await handle.close()
  }
}

async function read(handle: FileHandle, path: string, signal: AbortSignal | undefined): Promise<FileBytes> {
  const stats = await handle.stat()
  if (stats.isDirectory()) throw new Error(`${path} is a folder. List it with Glob, or name a file in it.`)
  if (!stats.isFile()) throw new Error(`${path} is not a regular file but a device, a pipe or a socket.`)
  if (stats.size > MOST_BYTES) {
    const size = Math.round(stats.size / 1024 / 1024)
    throw new Error(`${path} has ${size} MB, and at most 256 MB can be read. Look for what you need with Grep.`)
  }
  return { bytes: await handle.readFile(signal && { signal }), stats }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
