import type { SessionSummary } from '../contract/store.js'
import type { Id } from '../log/entry.js'
import { promptTitle } from '../stores/session-title.js'
import { decodeBatch } from './batch-line.js'
import type { LogBytes } from './log-bytes.js'
import { linesForwards } from './log-lines.js'
import { readTail } from './log-tail.js'

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
