import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionStore } from '@nacre/core'
import { formatLeftOut } from './format.js'
import { cleanOutput, keptEnds } from './kept-ends.js'
import type { ShellLimits } from './shell-options.js'
import type { PrivateFolder } from './start-process.js'

/** The output of one command: its ends in memory, all of it in a file when it is long. */
export interface OutputRecord {
  add(chunk: Uint8Array): Promise<void>
  lastLine(): string
  /** How it begins and how it ends, as far as that is kept. */
  ends(): string
  /** What fits into so many characters. A long output goes to the store's blobs where those are files. */
  text(room: number, name: string, store?: SessionStore): Promise<string>
}

export function outputRecord(folder: PrivateFolder, { resultChars, fileBytes }: ShellLimits): OutputRecord {
  const cleaner = cleanOutput()
  const ends = keptEnds(resultChars)
  // A text has no more characters than bytes, and the notes below it take less than half of a result.
  const spool = createSpool({ folder, above: resultChars / 2, maxBytes: fileBytes })
  return {
    async add(chunk) {
      ends.add(cleaner.add(chunk))
      await spool.write(chunk)
    },
    lastLine: () => ends.lastLine(),
    ends: () => ends.text(),
    async text(room, name, store) {
      ends.add(cleaner.end())
      await spool.close()
      if (ends.chars <= room) {
        await spool.remove()
        return ends.within(room, () => '')
      }
      const path = await keepOutput(spool, name, store)
      return ends.within(room, (left) => formatLeftOut(left, { path, bytes: spool.bytes, problem: spool.problem }))
    },
  }
}

/** Keeps what a command writes in a file, once it is more than fits in memory. */
export interface Spool {
  /** Set as soon as there is a file. */
  readonly path: string | undefined
  /** Bytes that stand in the file. */
  readonly bytes: number
  /** Why the file does not hold all. */
  readonly problem: string | undefined
  /** Never rejects: a command goes on when its output can not be kept. */
  write(chunk: Uint8Array): Promise<void>
  close(): Promise<void>
  remove(): Promise<void>
}

interface SpoolOptions {
  readonly folder: PrivateFolder
  /** The file is made when there are more bytes than this. */
  readonly above: number
  readonly maxBytes: number
}

export function createSpool({ folder, above, maxBytes }: SpoolOptions): Spool {
  let file: FileHandle | undefined
  let path: string | undefined
  let early: Uint8Array[] = []
  let held = 0
  let bytes = 0
  let problem: string | undefined

  const begin = async () => {
    const place = join(await folder.path(), `${randomUUID()}.txt`)
    file = await open(place, 'wx', 0o600)
    path = place
  }
  const append = async (chunk: Uint8Array) => {
    const fitting = chunk.subarray(0, maxBytes - bytes)
    const handle = file as FileHandle
    for (let at = 0; at < fitting.length; ) {
      const { bytesWritten } = await handle.write(fitting, at)
      at += bytesWritten
      bytes += bytesWritten
    }
    if (fitting.length < chunk.length) problem = `only the first ${maxBytes.toLocaleString('en')} bytes are kept`
  }
  const keep = async (chunk: Uint8Array) => {
    if (file) return append(chunk)
    early.push(chunk)
    held += chunk.length
    if (held <= above) return
    await begin()
    for (const one of early) await append(one)
    early = []
  }
  return {
    get path() {
      return path
    },
    get bytes() {
      return bytes
    },
    get problem() {
      return problem
    },
    async write(chunk) {
      if (problem !== undefined) return
      try {
        await keep(chunk)
      } catch (error) {
        problem = (error as Error).message
        early = []
      }
    },
    async close() {
      await file?.close().catch(() => undefined)
      file = undefined
    },
    async remove() {
      if (path !== undefined) await rm(path, { force: true }).catch(() => undefined)
    },
  }
}

/** Stores whose blobs are no files: what goes there can't be read by path, and may stay in memory. */
const pathless = new WeakSet<SessionStore>()

/** Moves a long output to the blobs of the session, where it lives as long as the log. Else it stays where it is. */
async function keepOutput(spool: Spool, name: string, store?: SessionStore): Promise<string | undefined> {
  if (spool.path === undefined || !store || pathless.has(store)) return spool.path
  try {
    const { path } = await store.put(name, createReadStream(spool.path))
    if (path !== undefined) {
      await spool.remove()
      return path
    }
    pathless.add(store)
  } catch {
    // No room there: the file is still here.
  }
  return spool.path
}
