import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MailLog, MailRecord, Message } from '../../src/messages/mailbox.js'

/** A log whose records a test can look at, and add to. */
export interface MemoryLog extends MailLog {
  readonly records: MailRecord[]
}

export function memoryLog(records: readonly MailRecord[] = []): MemoryLog {
  const kept = [...records]
  return {
    records: kept,
    async *read() {
      yield* kept
    },
    async append(record) {
      kept.push(record)
    },
  }
}

/** A log in a file that survives a kill: each record is one write, and a torn one at its end is cut off. */
export function fileLog(path: string, onAppend: (record: MailRecord) => void = () => undefined): MailLog {
  const records = readRecords(path)
  return {
    async *read() {
      yield* records
    },
    async append(record) {
      appendFileSync(path, `${JSON.stringify(record)}\n`)
      onAppend(record)
    },
  }
}

/** What a log in a file has, after a torn record at its end was cut off. */
export function readRecords(path: string): MailRecord[] {
  appendFileSync(path, '')
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) truncateSync(path, end)
  const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as MailRecord)
}

/** The ids that were received, in their order, of one sender or of all. */
export function receivedIds(records: readonly MailRecord[], from?: string): string[] {
  return records.flatMap((record) =>
    record.kind === 'received' && (from === undefined || record.mail.message.from === from)
      ? [record.mail.message.id]
      : [],
  )
}

export function message(from: string, to: string, id: string, body: Message['body'] = `body of ${id}`): Message {
  return { id, from, to, body, time: 1 }
}

/** A folder, and what takes it away. Without vitest, so that a child can use this file. */
export function newFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'nacre-mail-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
