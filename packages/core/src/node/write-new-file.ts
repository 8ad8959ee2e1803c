import { open } from 'node:fs/promises'

/** Writes a file that is not there yet, down to the disk, and says how long it is. */
export async function writeNewFile(
  path: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const handle = await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      await handle.appendFile(chunk)
      bytes += chunk.length
    }
    await handle.datasync()
  } finally {
    await handle.close()
  }
  return bytes
}
