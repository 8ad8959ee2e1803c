import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { NacreError } from '@nacre/core'
import type { PromiseFsClient } from 'isomorphic-git'

/** Writes a file that readers see as it was or as it is, and never in between; also after a kill. */
export async function replaceFile(path: string, data: string | Uint8Array, temporary: string): Promise<void> {
  try {
    await writeNewFile(temporary, data)
    await fs.rename(temporary, path)
  } catch (error) {
    await fs.rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Writes a file that is not there yet, down to the disk, for nobody but its owner. */
export async function writeNewFile(path: string, data: string | Uint8Array): Promise<void> {
  const handle = await fs.open(path, 'wx', 0o600)
  try {
    await handle.writeFile(data)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

const OBJECT = /^(.*[\\/]objects)[\\/][0-9a-f]{2}[\\/][0-9a-f]{38}$/
/** How the names of our half-written objects begin: git's own beginning, so that fsck and gc know them. */
export const TEMPORARY_OBJECT = 'tmp_obj_nacre-'
const FRESH = 24 * 60 * 60 * 1000

/**
 * The file system for isomorphic-git, which by itself writes in place and trusts whatever it finds: here each file is
 * written beside and renamed.
 */
export function atomicFs(temporaries: string, newId: () => string, now: () => number): PromiseFsClient {
  const writeFile = async (path: string, data: string | Uint8Array) => {
    const objects = OBJECT.exec(path)?.[1]
    const temporary = objects ? join(objects, `${TEMPORARY_OBJECT}${newId()}`) : join(temporaries, newId())
    try {
      await replaceFile(path, data, temporary)
    } catch (error) {
      ignoreMissing(error)
      await fs.mkdir(dirname(path), { recursive: true })
      await replaceFile(path, data, temporary)
    }
  }
  // An object that is there is not written again, unless it is empty (a power cut) or so old that git's gc, should it
  // be nobody's yet, may remove it before our commit makes it somebody's.
  const stat = async (path: string) => {
    const found = await fs.stat(path)
    const isDoubtful = OBJECT.test(path) && (found.size === 0 || now() - found.mtimeMs > FRESH)
    if (isDoubtful) throw Object.assign(new Error(`${path} is written anew`), { code: 'ENOENT' })
    return found
  }
  const { readFile, unlink, readdir, mkdir, rmdir, lstat, readlink, symlink } = fs
  return { promises: { readFile, writeFile, unlink, readdir, mkdir, rmdir, stat, lstat, readlink, symlink } }
}

const AT_ONCE = 16

/** Does something with each of many, a few at a time, so that neither time nor file handles run out. */
export async function forEachOf<Item, Result>(
  items: Iterable<Item>,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const list = [...items]
  const results: Result[] = []
  for (let at = 0; at < list.length; at += AT_ONCE) {
    results.push(...(await Promise.all(list.slice(at, at + AT_ONCE).map(run))))
  }
  return results
}

/** The file system's name for an error. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** For a step that may find its work done already: a missing file is no error there. */
export function ignoreMissing(error: unknown): undefined {
  const code = errorCode(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  return undefined
}

/** The error for a folder that can't be written as it is, with what to do. */
export function unwritable(message: string, cause?: unknown): NacreError {
  return new NacreError('STORE_UNWRITABLE', message, { cause })
}
