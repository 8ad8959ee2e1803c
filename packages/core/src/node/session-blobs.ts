import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { constants, copyFile, link, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isNacreError, NacreError } from '../errors.js'
import { blobName, isBlobName } from '../stores/names.js'
import type { Blob, SessionStore } from '../types/store.js'
import { copySums, noteSum } from './blob-sums.js'
import {
  errorCode,
  ignoreMissing,
  makePrivateFolder,
  syncFolder,
  unfinishedFile,
  unwritable,
  writeNewFile,
} from './write-file.js'

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
        const hash = createHash('sha256')
        const chunks = typeof data === 'string' ? [Buffer.from(data)] : data
        const bytes = await writeNewFile(unfinished, hashed(chunks, hash))
        const blob = await freeName(name)
        const path = join(folder, blob)
        await rename(unfinished, path)
        await noteSum(folder, { blob, bytes, sha256: hash.digest('hex') })
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

async function* hashed(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  hash: Hash,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
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
    await copySums(from, to, names)
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
