import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

export interface SmallFileLimits {
  /** The most bytes that are read; a million unless told. */
  readonly most?: number
  readonly signal?: AbortSignal
}

const MOST_BYTES = 1_000_000

// Without NONBLOCK the open of a pipe would wait for somebody to write into it, and nobody could interrupt it.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Reads a file that is small by its nature, such as settings; `undefined` where there is none. Whatever a stranger has put
 * in its place, it waits for nobody and holds no more than the limit: what is no regular file and what is larger is an
 * error, whose message is a reason that fits into brackets, as are the codes of the system.
 */
export async function readSmallFile(path: string, limits: SmallFileLimits = {}): Promise<Buffer | undefined> {
  const { most = MOST_BYTES, signal } = limits
  signal?.throwIfAborted()
  try {
    const handle = await open(path, FLAGS)
    try {
      return await readWhole(handle, most, signal)
    } finally {
      await handle.close()
    }
  } catch (error) {
    signal?.throwIfAborted()
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Error(code === 'ENXIO' ? 'it is a socket or a device, not a regular file' : (code ?? message), {
      cause: error,
    })
  }
}

async function readWhole(handle: FileHandle, most: number, signal: AbortSignal | undefined): Promise<Buffer> {
  const stats = await handle.stat()
  if (!stats.isFile()) throw new Error(`it is a ${kindOf(stats)}, not a regular file`)
  const bytes = stats.size > most ? undefined : await readUpTo(handle, most, signal)
  if (bytes) return bytes
  throw new Error(`it is larger than ${most} bytes`)
}

/** What something is that is no regular file, in a word. */
export function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'folder'
  if (stats.isFIFO()) return 'pipe'
  return stats.isSocket() ? 'socket' : 'device'
}

const CHUNK = 64 * 1024

/**
 * All that a file holds, from its beginning; `undefined` as soon as that is more than so many bytes. What the file says of
 * its size is not believed: those of the kernel say 0, and some never end.
 */
export async function readUpTo(
  handle: FileHandle,
  most: number,
  signal?: AbortSignal,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  for (;;) {
    signal?.throwIfAborted()
    // Large files in larger pieces, so that they are not read in ten thousand steps.
    const piece = Buffer.allocUnsafe(Math.min(Math.max(CHUNK, size), 16 * CHUNK))
    const { bytesRead } = await handle.read(piece, 0, piece.length, size)
    if (bytesRead === 0) return Buffer.concat(pieces, size)
    pieces.push(piece.subarray(0, bytesRead))
    size += bytesRead
    if (size > most) return undefined
  }
}
