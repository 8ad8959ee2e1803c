import type { Entry, NoticeEntry } from '../types/log.js'
import { createJoiner, type SessionRecord, skipReason } from './join-records.js'
import { OWNER, writeLog } from './write-log.js'

export interface Imported {
  /** A log that can be gone on with: every call in it has a result. */
  readonly entries: readonly Entry[]
  /** What is not in it, and what had to be made up. */
  readonly notices: readonly NoticeEntry[]
}

/**
 * Reads a session of Claude Code, a line of JSON for each record, into a log. Compactions become folds and rewinds
 * drops, so all that was said is there, and the view is the one the session ended with. No prefix is known, so
 * thinking is not sent again to models that bind it.
 */
export async function importClaudeCode(lines: AsyncIterable<string> | Iterable<string>): Promise<Imported> {
  const joiner = createJoiner()
  const seen = new Set<string>()
  const skipped = new Map<string, number>()
  const skip = (reason: string) => skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
  for await (const line of lines) {
    if (line.trim() === '') continue
    const record = parse(line)
    if (!record) {
      skip('that are not valid JSON')
      continue
    }
    // A session that was resumed may hold records of the one before it again.
    if (record.uuid !== undefined && seen.has(record.uuid)) {
      skip('that were there before')
      continue
    }
    if (record.uuid !== undefined) seen.add(record.uuid)
    const reason = skipReason(record)
    if (reason !== undefined) skip(reason)
    joiner.add(record, reason === undefined)
  }
  const { entries, problems } = writeLog(joiner.items)
  const time = entries.at(-1)?.time ?? 0
  const notice = (level: NoticeEntry['level']) => (text: string, index: number) =>
    ({ kind: 'notice', id: `import-${level}-${index}`, time, owner: OWNER, level, text }) as const
  const counts = [...skipped].map(([reason, count]) => `Records ${reason}: ${count} passed over.`)
  return { entries, notices: [...counts.map(notice('info')), ...problems.map(notice('warning'))] }
}

function parse(line: string): SessionRecord | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as SessionRecord) : undefined
  } catch {
    return undefined
  }
}
