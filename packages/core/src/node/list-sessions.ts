import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isBelowAnother, promptTitle } from '../stores/names.js'
import type { Entry, Id } from '../types/log.js'
import type { SessionSummary } from '../types/store.js'
import { decodeBatch, type LogBytes, linesForwards, withLog } from './log-lines.js'
import { fromFileName } from './places.js'
import { readTail } from './read-log.js'
import { ignoreMissing } from './write-file.js'

const EXTENSION = '.jsonl'
/** Files that are open at once. */
const AT_ONCE = 32

/** The sessions of a project's folder, newest first. A log that can't be read is left out: its own opener says why. */
export async function* listSessions(folder: string): AsyncGenerator<SessionSummary> {
  const names = ((await readdir(folder).catch(ignoreMissing)) ?? []).filter((name) => name.endsWith(EXTENSION))
  const summaries: SessionSummary[] = []
  for (let first = 0; first < names.length; first += AT_ONCE) {
    const some = await Promise.all(names.slice(first, first + AT_ONCE).map((name) => summaryOf(folder, name)))
    summaries.push(...some.filter((summary) => summary !== undefined))
  }
  yield* summaries.sort((one, other) => other.time - one.time)
}

async function summaryOf(folder: string, name: string): Promise<SessionSummary | undefined> {
  const id = fromFileName(name.slice(0, -EXTENSION.length))
  if (id === undefined || isBelowAnother(id)) return undefined
  return withLog(join(folder, name), (log) => sessionSummary(id, log)).catch(() => undefined)
}

/** The ids of the sessions below one. */
export async function sessionsBelow(folder: string, session: Id): Promise<readonly Id[]> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? []
  const ids = names.map((name) =>
    name.endsWith(EXTENSION) ? fromFileName(name.slice(0, -EXTENSION.length)) : undefined,
  )
  return ids.filter((id) => id !== undefined).filter((id) => id.startsWith(`${session}//`))
}

/** Every whole batch that a log has at this moment, whoever is writing to it. */
export async function peekSession(path: string): Promise<readonly Entry[]> {
  const entries = await withLog(path, async ({ read, end }) => {
    const found: Entry[] = []
    for await (const { bytes, isWhole } of linesForwards(read, 0, end)) {
      const batch = isWhole ? decodeBatch(bytes, path) : undefined
      // What is still being written ends the log, as far as this reader is concerned.
      if (!batch) break
      found.push(...batch.entries)
    }
    return found
  }).catch(ignoreMissing)
  return entries ?? []
}

const HEAD = 64 * 1024

/** A session's line in a list, from the head and the tail of its log; `undefined` for an empty one. */
export async function sessionSummary(id: Id, log: LogBytes): Promise<SessionSummary | undefined> {
  const { end, time, title } = await readTail(log)
  if (time === undefined) return undefined
  return { id, time, title: title?.text ?? (await firstPrompt({ ...log, end })) ?? '' }
}

async function firstPrompt({ path, read, end }: LogBytes): Promise<string | undefined> {
  for await (const { start, bytes } of linesForwards(read, 0, end)) {
    if (start > HEAD) return undefined
    const titles = decodeBatch(bytes, path)?.entries.map(promptTitle)
    const title = titles?.find((found) => found !== undefined)
    if (title !== undefined) return title
  }
  return undefined
}
