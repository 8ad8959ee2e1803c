import { type FileHandle, open, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { NacreError } from '../errors.js'
import { statedTitle } from '../stores/names.js'
import type { Entry, Id } from '../types/log.js'
import { encodeBatch } from './log-lines.js'
import { readEntries, readEntriesBack, type Tail, TITLE_REACH } from './read-log.js'
import { syncFolder, unwritable } from './write-file.js'

/** The log of one session, with its one writer. */
export interface LogFile {
  append(batch: readonly Entry[]): Promise<void>
  read(from?: Id): AsyncIterable<Entry>
  readBack(): AsyncIterable<Entry>
  close(): Promise<void>
}

interface LogFileOptions {
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
      const isFar = title !== undefined && end - title.at > TITLE_REACH
      const repeated = isFar ? title?.text : undefined
      const bytes = encodeBatch({ entries: batch, ...(repeated !== undefined && { title: repeated }) })
      await write(bytes, syncs(batch)).catch((error: unknown) => {
        throw unwritable(error, path)
      })
      const text = batch.map(statedTitle).findLast((stated) => stated !== undefined) ?? repeated
      if (text !== undefined) title = { text, at: end }
      end += bytes.length
    },
    read: (from) => readEntries(path, end, from),
    readBack: () => readEntriesBack(path, end),
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
