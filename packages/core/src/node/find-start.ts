import type { Id } from '../log/entry.js'
import { type Checkpoint, checkpointSearch } from '../stores/checkpoint-search.js'
import { decodeBatch, turnsStart } from './batch-line.js'
import type { LogBytes } from './log-bytes.js'
import { linesBackwards, linesForwards } from './log-lines.js'

/** Where a read starts: at a line, and in it at an entry; without one at its first. */
export interface Start {
  readonly offset: number
  readonly from?: Id
}

/** The last checkpoint in force, else the whole log. Goes from the tail back, and parses only lines that have a say. */
export async function findStart(log: LogBytes): Promise<Start> {
  const meets = checkpointSearch()
  for await (const { bytes, isWhole } of linesBackwards(log.read, log.end)) {
    if (!isWhole || !turnsStart(bytes)) continue
    const batch = decodeBatch(bytes, log.path)
    for (const entry of batch?.entries.toReversed() ?? []) {
      const checkpoint = meets(entry)
      if (checkpoint !== undefined) return startAt(log, checkpoint, batch?.at)
    }
  }
  return { offset: 0 }
}

/** The line that holds an entry. */
export async function findEntry({ path, read, end }: LogBytes, id: Id): Promise<number | undefined> {
  const needle = `"id":${JSON.stringify(id)}`
  for await (const { start, bytes } of linesBackwards(read, end)) {
    if (bytes.includes(needle) && holds(bytes, path, id)) return start
  }
  return undefined
}

async function startAt(log: LogBytes, { from }: Checkpoint, noted: number | undefined): Promise<Start> {
  const offset = (await isAt(log, from, noted)) ? noted : await findEntry(log, from)
  // Too much is only slow, too little would be a hole in the view.
  return offset === undefined ? { offset: 0 } : { offset, from }
}

/** A note may be wrong in a log that was edited by hand. */
async function isAt({ path, read, end }: LogBytes, from: Id, noted: number | undefined): Promise<boolean> {
  if (noted === undefined || noted >= end) return false
  for await (const { bytes } of linesForwards(read, noted, end)) return holds(bytes, path, from)
  return false
}

function holds(line: Buffer, path: string, id: Id): boolean {
  return decodeBatch(line, path)?.entries.some((entry) => entry.id === id) ?? false
}
