import { truncate } from 'node:fs/promises'
import { withLog } from './log-bytes.js'
import { readTail, type Tail } from './log-tail.js'
import { ignoreMissing, unwritable } from './store-error.js'

const EMPTY: Tail = { end: 0, torn: 0, time: undefined, title: undefined }

/** Cuts off a torn batch, so that the next one begins on a line of its own. Only for the holder of the session. */
export async function mendLog(path: string): Promise<Tail> {
  try {
    const tail = (await withLog(path, readTail).catch(ignoreMissing)) ?? EMPTY
    if (tail.torn > 0) await truncate(path, tail.end)
    return tail
  } catch (error) {
    throw unwritable(error, path)
  }
}
