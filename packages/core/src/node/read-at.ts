import type { FileHandle } from 'node:fs/promises'

/** The bytes at a place of a file; fewer only where the file ends. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>

/** Reads from an open file. */
export function readAt(handle: FileHandle): ReadAt {
  return async (position, length) => {
    const buffer = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  }
}
