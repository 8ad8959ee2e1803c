import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionSummary } from '../contract/store.js'
import { fromFileName } from './file-name.js'
import { withLog } from './log-bytes.js'
import { sessionSummary } from './session-summary.js'
import { ignoreMissing } from './store-error.js'

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
  if (id === undefined) return undefined
  return withLog(join(folder, name), (log) => sessionSummary(id, log)).catch(() => undefined)
}
