import { type FileHandle, open, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Entry, Id } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import { checkpointIn } from '../stores/checkpoint-search.js'
import { statedTitle } from '../stores/session-title.js'
import { type BatchNotes, encodeBatch } from './batch-line.js'
import { findEntry } from './find-start.js'
import { withLog } from './log-bytes.js'
import { type Tail, TITLE_REACH } from './log-tail.js'
import { readEntries } from './read-entries.js'
import { unwritable } from './store-error.js'
import { syncFolder } from './sync-folder.js'

/** The log of one session, with its one writer. */
export interface LogFile {
  append(batch: readonly Entry[]): Promise<void>
  read(from?: Id): AsyncIterable<Entry>
  close(): Promise<void>
}

export interface LogFileOptions {
  readonly path: string
  /** What is there already, after torn bytes were cut off. */
  readonly tail: Tail
  readonly syncs: (batch: readonly Entry[]) => boolean
  readonly openFile?: (path: string) => Promise<Pick<FileHandle, 'appendFile' | 'close' | 'stat' | 'sync' | 'datasync'>>
}

/** Appends one batch after the other. The file is made with the first one: a session that was only opened leaves none. */
export function logFile({ path, tail, syncs, openFile = openToAppend }: LogFileOptions): LogFile {
  let { end, title } = tail
  let handle: Awaited<ReturnType<typeof openFile>> | undefined
  let isTorn = false

  const notesOn = async (batch: readonly Entry[]): Promise<BatchNotes> => {
    const checkpoint = batch.map(checkpointIn).findLast((found) => found !== undefined)
    const isFar = title !== undefined && end - title.at > TITLE_REACH
    return {
      ...(checkpoint === undefined ? {} : await placeOf(checkpoint.from, batch)),
      ...(isFar ? { title: title?.text ?? '' } : {}),
    }
  }
  const placeOf = async (from: Id, batch: readonly Entry[]): Promise<BatchNotes> => {
    if (batch.some(({ id }) => id === from)) return { at: end }
    const at = end === 0 ? undefined : await withLog(path, (log) => findEntry({ ...log, end }, from))
    return at === undefined ? {} : { at }
  }
  /** Cuts off what a failed append left. Until that works nothing may be written behind it. */
  const mend = async () => {
    await truncate(path, end)
    isTorn = false
  }
  const write = async (bytes: Buffer, isSynced: boolean) => {
    if (isTorn) await mend()
    handle ??= await openFile(path)
    mustBeOurs(path, await handle.stat(), end)
    isTorn = true
    try {
      await handle.appendFile(bytes)
      if (isSynced) await handle.datasync()
      isTorn = false
    } catch (error) {
      await mend().catch(() => undefined)
      throw error
    }
  }
  return {
    async append(batch) {
      const notes = await notesOn(batch)
      const bytes = encodeBatch({ ...notes, entries: batch })
      await write(bytes, syncs(batch)).catch((error: unknown) => {
        throw unwritable(error, path)
      })
      const text = batch.map(statedTitle).findLast((stated) => stated !== undefined) ?? notes.title
      if (text !== undefined) title = { text, at: end }
      end += bytes.length
    },
    read: (from) => readEntries(path, end, from),
    async close() {
      const open = handle
      handle = undefined
      if (open === undefined) return
      try {
        await open.sync().finally(() => open.close())
        await syncFolder(dirname(path))
      } catch (error) {
        throw unwritable(error, path)
      }
    },
  }
}

function openToAppend(path: string): Promise<FileHandle> {
  return open(path, 'a', 0o600)
}

/** A file that grew, shrank or went away was touched by another: to write on would make it worse. */
function mustBeOurs(path: string, { size, nlink }: { size: number; nlink: number }, end: number): void {
  if (nlink === 0) {
    throw new NacreError('STORE_UNWRITABLE', `${path} was removed while the session was open. Open the session again.`)
  }
  if (size !== end) {
    throw new NacreError('STORE_CORRUPT', `${path} was changed by another program. Open the session again.`)
  }
}
