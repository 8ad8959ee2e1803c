import { open, truncate } from 'node:fs/promises'
import { NacreError } from '../errors.js'
import { statedTitle } from '../stores/names.js'
import type { Entry, Id } from '../types/log.js'
import {
  type Batch,
  corruptLine,
  decodeBatch,
  type LogBytes,
  linesBackwards,
  linesForwards,
  readAt,
  withLog,
} from './log-lines.js'
import { ignoreMissing, unwritable } from './write-file.js'

/** The entries of a log up to `end`, from one on. */
export async function* readEntries(path: string, end: number, from?: Id): AsyncGenerator<Entry> {
  // A log without a batch may have no file yet.
  if (end === 0 && from === undefined) return
  if (end === 0) throw missing(path, from)
  const handle = await open(path, 'r')
  try {
    const log = { path, read: readAt(handle), end }
    const first = from === undefined ? 0 : await findEntry(log, from)
    let isReached = from === undefined
    // In one generator: each one between an entry and its reader costs as much as the entry itself.
    for await (const { start, bytes } of linesForwards(log.read, first, end)) {
      const batch = decodeBatch(bytes, path)
      if (batch === undefined) throw await corruptLine(log, start)
      for (const entry of batch.entries) {
        isReached ||= entry.id === from
        if (isReached) yield entry
      }
    }
  } finally {
    await handle.close()
  }
}

/** The same from the newest back. */
export async function* readEntriesBack(path: string, end: number): AsyncGenerator<Entry> {
  if (end === 0) return
  const handle = await open(path, 'r')
  try {
    const log = { path, read: readAt(handle), end }
    for await (const { start, bytes } of linesBackwards(log.read, end)) {
      const batch = decodeBatch(bytes, path)
      if (batch === undefined) throw await corruptLine(log, start)
      for (let index = batch.entries.length - 1; index >= 0; index--) yield batch.entries[index] as Entry
    }
  } finally {
    await handle.close()
  }
}

function missing(path: string, from: Id | undefined): NacreError {
  return new NacreError('NOT_FOUND', `No entry ${from} in ${path}.`)
}

/** The line that holds an entry. */
async function findEntry({ path, read, end }: LogBytes, id: Id): Promise<number> {
  const needle = `"id":${JSON.stringify(id)}`
  const holds = (line: Buffer) => decodeBatch(line, path)?.entries.some((entry) => entry.id === id)
  for await (const { start, bytes } of linesBackwards(read, end)) {
    if (bytes.includes(needle) && holds(bytes)) return start
  }
  throw missing(path, id)
}

/** A line that begins this far behind the last mention of the title repeats it, so that every tail has it. */
export const TITLE_REACH = 32 * 1024

/** What the end of a log tells. */
export interface Tail {
  /** Where the last whole batch ends. */
  readonly end: number
  /** Bytes behind it, of a batch that was cut off. */
  readonly torn: number
  /** When the last entry was made; `undefined` in an empty log. */
  readonly time: number | undefined
  readonly title: { readonly text: string; readonly at: number } | undefined
}

/** Reads a tail, and nothing that is further away from it than a title can be. */
export async function readTail(log: LogBytes): Promise<Tail> {
  const { torn, last } = await lastBatch(log)
  const end = log.end - torn
  if (last === undefined) return { end, torn, time: undefined, title: undefined }
  return { end, torn, time: last.batch.entries.at(-1)?.time, title: await lastTitle(log, last) }
}

interface Placed {
  readonly batch: Batch
  readonly start: number
}

/**
 * The last line that can be read. A power failure can spoil more than the line that was being written, so what stands
 * behind it may be more than one; where not one of several can be read the file is something else, and is left alone.
 */
async function lastBatch(log: LogBytes): Promise<{ torn: number; last: Placed | undefined }> {
  let torn = 0
  let broken = 0
  for await (const { start, bytes, isWhole } of linesBackwards(log.read, log.end)) {
    const batch = isWhole ? decodeBatch(bytes, log.path) : undefined
    if (batch !== undefined) return { torn, last: { batch, start } }
    broken += 1
    torn = log.end - start
  }
  if (broken > 1) throw await corruptLine(log, 0)
  return { torn, last: undefined }
}

async function lastTitle({ path, read }: LogBytes, last: Placed): Promise<Tail['title']> {
  const own = titleOf(last.batch)
  if (own !== undefined) return { text: own, at: last.start }
  // One byte more, for the newline that ends the line before the first one within reach.
  const floor = Math.max(0, last.start - TITLE_REACH - 1)
  for await (const { start, bytes } of linesBackwards(read, last.start, floor)) {
    const batch = decodeBatch(bytes, path)
    const text = batch && titleOf(batch)
    if (text !== undefined) return { text, at: start }
  }
  return undefined
}

function titleOf({ entries, title }: Batch): string | undefined {
  return entries.map(statedTitle).findLast((stated) => stated !== undefined) ?? title
}

const EMPTY: Tail = { end: 0, torn: 0, time: undefined, title: undefined }

/** A log's end, and the file in which what was cut off is kept. */
interface MendedTail extends Tail {
  readonly aside?: string
}

/**
 * Cuts off what can not be read, so that the next batch begins on a line of its own. Only for the holder of the session.
 * A line without an end was never promised to anyone; what has one was, and is kept aside.
 */
export async function mendLog(path: string): Promise<MendedTail> {
  try {
    const mended = await withLog(path, async (log) => {
      const tail = await readTail(log)
      return tail.torn > 0 && (await keepAside(log, tail)) ? { ...tail, aside: asidePath(path) } : tail
    }).catch(ignoreMissing)
    const tail = mended ?? EMPTY
    if (tail.torn > 0) await truncate(path, tail.end)
    return tail
  } catch (error) {
    throw unwritable(error, path)
  }
}

/** Where lines of a log are kept that could not be read. */
export function asidePath(log: string): string {
  return `${log.replace(/\.jsonl$/, '')}.dropped`
}

const PIECE = 1024 * 1024

/** Copies what will be cut off behind what was before, down to the disk. Whether there was a line to keep. */
async function keepAside({ path, read, end: fileEnd }: LogBytes, { end }: Tail): Promise<boolean> {
  let hasLine = false
  for (let at = end; at < fileEnd && !hasLine; at += PIECE)
    hasLine = (await read(at, Math.min(PIECE, fileEnd - at))).includes(10)
  if (!hasLine) return false
  const aside = await open(asidePath(path), 'a', 0o600)
  try {
    for (let at = end; at < fileEnd; at += PIECE) await aside.appendFile(await read(at, Math.min(PIECE, fileEnd - at)))
    await aside.appendFile('\n')
    await aside.sync()
  } finally {
    await aside.close()
  }
  return true
}
