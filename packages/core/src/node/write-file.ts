import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isNacreError, NacreError } from '../errors.js'

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
