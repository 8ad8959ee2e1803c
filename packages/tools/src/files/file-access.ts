import { randomBytes } from 'node:crypto'
import { constants, existsSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, readlink, realpath, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isNacreError, type ToolContext, type ToolResult } from '@nacre/core'
import { kindOf, readUpTo } from '@nacre/core/node'
import { z } from 'zod'
import { errorResult } from '../define-tool.js'
import { type PathGuard, realPath } from '../paths.js'

/** The input by which tools name a file. */
export const filePath = z.string().min(1).describe('The file: an absolute path, or one from the working directory.')

/** A file by its name in a folder that is held open. */
interface FilePlace {
  readonly folder: OpenFolder
  readonly name: string
  /** The real path. */
  readonly path: string
}

interface PlaceOptions {
  readonly guard: PathGuard | undefined
  /** Makes the folders that are missing. */
  readonly isMade?: boolean
}

/**
 * Goes to where a path leads, and works there once the guard has let the call pass. From then on links that are swapped
 * lead nowhere else: the folder is held, and the file itself must not be a link. What goes wrong is told to the model,
 * in words and without the paths that are used inside.
 */
export async function atPlace(
  asked: string,
  { callId, cwd, signal }: ToolContext,
  { guard, isMade = false }: PlaceOptions,
  work: (place: FilePlace) => Promise<ToolResult>,
): Promise<ToolResult> {
  try {
    const real = await realPath(asked, cwd)
    const name = basename(real)
    // Before anything is made, and again for what was opened.
    if (isMade) guard?.verify(callId, real)
    return await inFolder(dirname(real), isMade, (folder) => {
      const path = join(folder.path, name)
      guard?.verify(callId, path)
      if (path !== real) throw new Error(`${asked} was moved while it was being opened. Try again.`)
      return work({ folder, name, path })
    })
  } catch (error) {
    if (signal.aborted || isNacreError(error)) throw error
    const { code, message } = error as NodeJS.ErrnoException
    return errorResult(code === undefined ? message : `${asked}: ${MEANINGS[code] ?? code}.`)
  }
}

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EPERM: 'The system does not allow it',
  EROFS: 'It lies on a file system that can only be read',
  ENOSPC: 'The disk is full',
  EDQUOT: 'The quota of the disk is used up',
  ENOTDIR: 'A part of the path is a file and not a folder',
  EEXIST: 'Something else is in its place',
  ELOOP: 'It is a link that leads nowhere or in a circle, or has become a link just now',
  ENAMETOOLONG: 'The name is too long',
  ENOENT: 'A folder on its path does not exist',
  EMFILE: 'Too many files are open; try again',
  EIO: 'The disk failed',
}

/** A folder that is held open: what happens to its path meanwhile does not change where its names lead. */
export interface OpenFolder {
  /** The real path of what was opened. */
  readonly path: string
  at(name: string): string
  /** Makes what was renamed in it survive a loss of power. */
  sync(): Promise<void>
}

// Where the system names open folders as paths, every name is looked up in the folder itself; elsewhere by its path.
const HELD = '/proc/self/fd'
const canHold = existsSync(HELD)
const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Works in a folder given by its real path, and makes it first where it is missing and that is asked for. */
export async function inFolder<Result>(
  path: string,
  isMade: boolean,
  work: (folder: OpenFolder) => Promise<Result>,
): Promise<Result> {
  if (process.platform === 'win32') {
    if (isMade) await mkdir(path, { recursive: true })
    return work({ path: await realpath(path), at: (name) => join(path, name), sync: async () => undefined })
  }
  const handle = await openHandle(path, isMade)
  try {
    return await work(await folderOf(handle, path))
  } finally {
    await handle.close()
  }
}

async function folderOf(handle: FileHandle, path: string): Promise<OpenFolder> {
  const held = canHold ? `${HELD}/${handle.fd}` : path
  return {
    path: canHold ? await readlink(held) : await realpath(path),
    at: (name) => `${held}/${name}`,
    sync: () => handle.sync(),
  }
}

/** Missing folders are made one by one, each in the one that was opened before. */
async function openHandle(path: string, isMade: boolean): Promise<FileHandle> {
  try {
    return await open(path, FOLDER_FLAGS)
  } catch (error) {
    const parent = dirname(path)
    if (!isMade || (error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    return inFolder(parent, true, async (folder) => {
      if (folder.path !== parent) throw new Error(`${path} was moved while it was being made. Try again.`)
      await mkdir(folder.at(basename(path))).catch(unlessThere)
      return open(folder.at(basename(path)), FOLDER_FLAGS)
    })
  }
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** What a file held when it was read. */
export interface FileBytes {
  readonly bytes: Buffer
  readonly stats: Stats
}

const MOST_BYTES = 256 * 1024 * 1024
/** Files of the kernel say that they have no size; some are short, and some never end. */
const MOST_UNSIZED = 16 * 1024 * 1024

// Without NONBLOCK the open of a pipe would wait for somebody to write into it.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Reads a file whole; `undefined` when there is none. Throws for what is no file, or too large, or without an end. */
export async function fileBytes(
  { folder, name, path }: FilePlace,
  signal?: AbortSignal,
  most = MOST_BYTES,
): Promise<FileBytes | undefined> {
  const handle = await open(folder.at(name), READ_FLAGS).catch((error) => missing(error, path))
  if (!handle) return undefined
  try {
    const stats = await handle.stat()
    if (stats.isDirectory()) throw new Error(`${path} is a folder. List it with Glob, or name a file in it.`)
    if (!stats.isFile()) throw notRegular(path, kindOf(stats))
    if (stats.size > most) throw tooLarge(path, `${Math.round(stats.size / 1024 / 1024)} MB`, most)
    // Of a file that grows, what it had when it was opened.
    if (stats.size > 0) return { bytes: await handle.readFile(signal && { signal }), stats }
    const bytes = await readUpTo(handle, Math.min(most, MOST_UNSIZED), signal)
    if (!bytes) throw endless(path)
    return { bytes, stats }
  } finally {
    await handle.close()
  }
}

function notRegular(path: string, kind: string): Error {
  return new Error(`${path} is not a regular file but a ${kind}: it can not be read or replaced here. Name a file.`)
}

function tooLarge(path: string, size: string, most: number): Error {
  const limit = `${Math.round(most / 1024 / 1024)} MB`
  return new Error(`${path} has ${size}, and at most ${limit} can be read. Look for what you need with Grep.`)
}

function endless(path: string): Error {
  return new Error(
    `${path} reports a size of 0 and yet has more than ${MOST_UNSIZED / 1024 / 1024} MB, as files of the system do that ` +
      'may never end. Read a part of it with a program such as head -c.',
  )
}

function missing(error: NodeJS.ErrnoException, path: string): undefined {
  if (error.code === 'ENXIO') throw notRegular(path, 'socket or a device')
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}

/**
 * Puts new bytes in the place of a file, or of none: whoever looks, whatever happens, finds all of the old or all of the
 * new. `before` is what the file was when it was read; if it is another by now, nothing is written. Gives what it is now.
 */
export async function writeAtomically(
  place: FilePlace,
  bytes: Buffer,
  before: Stats | undefined,
  signal: AbortSignal,
): Promise<Stats> {
  const { folder, name } = place
  await sweepLeftovers(folder)
  const temporary = folder.at(`.nacre-${process.pid}-${randomBytes(4).toString('hex')}.tmp`)
  const handle = await open(temporary, 'wx', before ? before.mode & 0o777 : 0o666)
  try {
    const stats = await fill(handle, bytes, before)
    await mustBeUnchanged(place, before)
    signal.throwIfAborted()
    await rename(temporary, folder.at(name))
    await folder.sync()
    return stats
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  }
}

async function fill(handle: FileHandle, bytes: Buffer, before: Stats | undefined): Promise<Stats> {
  try {
    await handle.writeFile(bytes)
    if (before) await keepOwner(handle, before)
    await handle.sync()
    return await handle.stat()
  } finally {
    await handle.close()
  }
}

/** Only the superuser can give files away; for others the owner changes, and the mode stays. */
async function keepOwner(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await handle.stat()
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid).catch(() => undefined)
  await handle.chmod(mode & 0o7777)
}

async function mustBeUnchanged({ folder, name, path }: FilePlace, before: Stats | undefined): Promise<void> {
  const now = await lstat(folder.at(name)).catch(() => undefined)
  const isSame = before
    ? now?.ino === before.ino && now.mtimeMs === before.mtimeMs && now.size === before.size
    : now === undefined
  if (!isSame)
    throw new Error(`${path} was changed by somebody else just now. Nothing was written: read it again first.`)
}

/** The name of a file that its process will rename or remove. */
const TEMPORARY_NAME = /^\.nacre-(\d+)-[0-9a-f]+\.tmp$/

const swept = new Set<string>()

/** Removes what processes that were killed have left in a folder. Once for each folder: later ones come from the living. */
async function sweepLeftovers(folder: OpenFolder): Promise<void> {
  if (swept.has(folder.path)) return
  swept.add(folder.path)
  for (const name of await readdir(folder.at('.')).catch(() => [])) {
    const [, owner] = TEMPORARY_NAME.exec(name) ?? []
    if (owner !== undefined && !isAlive(Number(owner))) await unlink(folder.at(name)).catch(() => undefined)
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
