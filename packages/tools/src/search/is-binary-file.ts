import { open } from 'node:fs/promises'
import { decodeFile } from './decode-file.js'

const LOOKED_AT = 65_536

/** Whether a file is none of text, as ripgrep sees it: by a NUL in its first part. */
export async function isBinaryFile(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0)
    return decodeFile(buffer.subarray(0, bytesRead)) === undefined
  } finally {
    await file.close()
  }
}
