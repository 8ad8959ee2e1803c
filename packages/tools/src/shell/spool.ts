import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PrivateFolder } from './private-folder.js'

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

export interface SpoolOptions {
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
