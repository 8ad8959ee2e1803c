import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { constants, copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isNacreError, NacreError } from '../errors.js'
import { blobName, isBlobName } from '../stores/names.js'
import type { Blob, SessionStore } from '../types/store.js'

/** Writes a file that is not there yet, down to the disk, and says how long it is. */
export async function writeNewFile(
  path: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const handle = await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      await handle.appendFile(chunk)
      bytes += chunk.length
    }
    await handle.datasync()
  } finally {
    await handle.close()
  }
  return bytes
}

const UNFINISHED = '.tmp-'

/** A name in a session's folder under which something may be left half-written. */
export function unfinishedFile(folder: string): string {
  return join(folder, `${UNFINISHED}${randomUUID()}`)
}

/** Removes what was left half-written. Only for the holder of the session: nobody else can be writing there. */
export async function sweepUnfinished(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? []
  await Promise.all(
    names.filter((name) => name.startsWith(UNFINISHED)).map((name) => rm(join(folder, name), { force: true })),
  )
}

/** Makes a new name last. Windows has no such call, and needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Makes a folder and those above it that are missing, for nobody but their owner to read.
 * Node's recursive way never ends where a file system has no room for new folders and calls that a missing one, as /proc does.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  const error = await failureToMake(folder)
  if (error === undefined) return
  const parent = dirname(folder)
  if (errorCode(error) !== 'ENOENT' || parent === folder) throw error
  await makePrivateFolder(parent)
  const again = await failureToMake(folder)
  if (again !== undefined) throw again
}

/** What keeps a folder from being there; `undefined` where it is. */
async function failureToMake(folder: string): Promise<unknown> {
  try {
    await mkdir(folder, { mode: 0o700 })
    return undefined
  } catch (error) {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    )
    return isThere ? undefined : error
  }
}

const ELSEWHERE = 'or set NACRE_HOME to another folder'
const PERMISSION = `Give yourself the right to write there, ${ELSEWHERE}.`
const IN_THE_WAY = `Something that is no folder is in the way. Move it, ${ELSEWHERE}.`
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: `The disk is full. Free some space, ${ELSEWHERE}.`,
  EDQUOT: `Your share of the disk is used up. Free some space, ${ELSEWHERE}.`,
  EACCES: PERMISSION,
  EPERM: PERMISSION,
  EROFS: `The disk is read-only. Make it writable, ${ELSEWHERE}.`,
  ENOENT: 'The folder is gone, or none can be made there. Set NACRE_HOME to one that stays.',
  ENOTDIR: IN_THE_WAY,
  EEXIST: IN_THE_WAY,
  EMFILE: 'Too many files are open. Close some sessions, or raise the limit (ulimit -n).',
  ENAMETOOLONG: 'The name is too long. Choose a shorter one.',
}

/** What the file system refused, with the path and what to do about it. An error of ours stays as it is. */
export function unwritable(cause: unknown, path: string): NacreError {
  if (isNacreError(cause)) return cause
  const code = errorCode(cause) ?? 'unknown error'
  const advice = ADVICE[code] ?? `Look at the disk, ${ELSEWHERE}.`
  return new NacreError('STORE_UNWRITABLE', `Cannot write ${path} (${code}). ${advice}`, { cause })
}

/** The file system's name for an error. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** For a step that may find its work done already: a missing file is no error there. */
export function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
  return undefined
}

/** The blobs of one session, in a folder beside its log. */
export function sessionBlobs(folder: string): Pick<SessionStore, 'put' | 'get'> {
  const promised = new Set<string>()
  const freeName = async (name: string) => {
    for (let number = 1; ; number++) {
      const blob = blobName(name, number)
      // Two names that differ in case are one file on some disks.
      const key = blob.toLowerCase()
      if (promised.has(key)) continue
      promised.add(key)
      if ((await stat(join(folder, blob)).catch(ignoreMissing)) === undefined) return blob
    }
  }
  return {
    async put(name, data): Promise<Blob> {
      const unfinished = unfinishedFile(folder)
      try {
        await makePrivateFolder(folder)
        const bytes = await writeNewFile(unfinished, typeof data === 'string' ? [Buffer.from(data)] : data)
        const blob = await freeName(name)
        const path = join(folder, blob)
        await rename(unfinished, path)
        return { blob, bytes, path }
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => undefined)
        // What the caller's stream throws is the caller's.
        throw errorCode(error) === undefined || isNacreError(error) ? error : unwritable(error, folder)
      }
    },
    async *get(blob, range) {
      const path = join(folder, blob)
      const found = isBlobName(blob) ? await stat(path).catch(ignoreMissing) : undefined
      if (found === undefined) throw new NacreError('NOT_FOUND', `No blob ${JSON.stringify(blob)} in ${folder}.`)
      const end = Math.min(range?.end ?? found.size, found.size)
      const start = Math.max(range?.start ?? 0, 0)
      if (start < end) yield* createReadStream(path, { start, end: end - 1 }) as AsyncIterable<Uint8Array>
    },
  }
}

/**
 * Gives a folder the blobs of another under the same names. A blob is never written again under its name, so two names
 * for one file will do, and cost nothing.
 */
export async function copyBlobs(from: string, to: string): Promise<void> {
  const names = ((await readdir(from).catch(ignoreMissing)) ?? []).filter(isBlobName)
  if (names.length === 0) return
  try {
    await makePrivateFolder(to)
    for (const name of names) await linkOrCopy(join(from, name), join(to, name))
    await syncFolder(to)
  } catch (error) {
    throw unwritable(error, to)
  }
}

/** Not every disk knows links. What is there already stays, as any blob does. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  const isThere = (error: unknown) => errorCode(error) === 'EEXIST'
  try {
    await link(from, to)
  } catch (error) {
    if (isThere(error)) return
    await copyFile(from, to, constants.COPYFILE_EXCL).catch((cause: unknown) => {
      if (!isThere(cause)) throw cause
    })
  }
}
