import { open } from 'node:fs/promises'
import type { Entry, Id } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import { decodeBatch } from './batch-line.js'
import { corruptLine } from './corrupt-line.js'
import { findEntry, findStart, type Start } from './find-start.js'
import type { LogBytes } from './log-bytes.js'
import { linesForwards } from './log-lines.js'
import { readAt } from './read-at.js'

/** The entries of a log up to `end`: from one on, or from the last checkpoint in force. */
export async function* readEntries(path: string, end: number, from?: Id): AsyncGenerator<Entry> {
  // A log without a batch may have no file yet.
  if (end === 0 && from === undefined) return
  if (end === 0) throw missing(path, from)
  const handle = await open(path, 'r')
  try {
    const log = { path, read: readAt(handle), end }
    const start = from === undefined ? await findStart(log) : await startOf(log, from)
    let isReached = start.from === undefined
    // In one generator: each one between an entry and its reader costs as much as the entry itself.
    for await (const { start: offset, bytes } of linesForwards(log.read, start.offset, end)) {
      const batch = decodeBatch(bytes, path)
      if (batch === undefined) throw await corruptLine(log, offset)
      for (const entry of batch.entries) {
        isReached ||= entry.id === start.from
        if (isReached) yield entry
      }
    }
  } finally {
    await handle.close()
  }
}

async function startOf(log: LogBytes, from: Id): Promise<Start> {
  const offset = await findEntry(log, from)
  if (offset === undefined) throw missing(log.path, from)
  return { offset, from }
}

function missing(path: string, from: Id | undefined): NacreError {
  return new NacreError('NOT_FOUND', `No entry ${from} in ${path}.`)
}
