import { statedTitle } from '../stores/session-title.js'
import { type Batch, decodeBatch } from './batch-line.js'
import { corruptLine } from './corrupt-line.js'
import type { LogBytes } from './log-bytes.js'
import { linesBackwards } from './log-lines.js'

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

/** One batch at most can be torn: a broken line before it was broken by something else, and is an error. */
async function lastBatch(log: LogBytes): Promise<{ torn: number; last: Placed | undefined }> {
  let torn = 0
  for await (const { start, bytes, isWhole } of linesBackwards(log.read, log.end)) {
    const batch = isWhole ? decodeBatch(bytes, log.path) : undefined
    if (batch !== undefined) return { torn, last: { batch, start } }
    if (torn > 0) throw await corruptLine(log, start)
    torn = log.end - start
  }
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
