import { open } from 'node:fs/promises'
import { type ReadAt, readAt } from './read-at.js'

/** A log as it was at one moment: what is appended behind `end` meanwhile is not seen. */
export interface LogBytes {
  readonly path: string
  readonly read: ReadAt
  readonly end: number
}

/** Opens a log for as long as `use` needs it. */
export async function withLog<Result>(path: string, use: (log: LogBytes) => Promise<Result>): Promise<Result> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    return await use({ path, read: readAt(handle), end: size })
  } finally {
    await handle.close()
  }
}
