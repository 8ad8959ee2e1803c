import { constants, existsSync, fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { sep } from 'node:path'
import { type BytePath, pathBytes } from './search-question.js'

/** Whether the system tells where an open file lies, and lets another program open the very same one. */
export const canHold = process.platform === 'linux' && existsSync('/proc/self/fd')

/** A folder that is held open: a search in it goes nowhere else, whatever becomes of its path meanwhile. */
export interface HeldFolder {
  /** Where a program has to start to be in it. */
  readonly cwd: string
  close(): Promise<void>
}

/** Holds a folder given by its real path. Throws, for the model, where the path leads elsewhere by now. */
export async function holdFolder(path: string): Promise<HeldFolder> {
  if (!canHold) return { cwd: path, close: async () => undefined }
  const folder = await openReal(Buffer.from(path), constants.O_RDONLY | constants.O_DIRECTORY)
  if (!folder) throw new Error(`${path} was moved while it was being opened, or can't be read. Make the call again.`)
  // By the number of this process: in another one the same descriptor may be something else.
  return { cwd: `/proc/${process.pid}/fd/${folder.fd}`, close: () => folder.close() }
}

// A pipe that has taken the place of a file is not waited for.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Opens a regular file below a folder, to be read, if it is really there: no part of its path has become a link. */
export async function openBelow(root: string, path: BytePath): Promise<FileHandle | undefined> {
  const file = await openReal(pathBelow(root, path), READ)
  if (!file || fstatSync(file.fd).isFile()) return file
  await file.close()
  return undefined
}

// Opens what may not be read too, only to be looked at. Node does not name it.
const LOOK = canHold ? 0x200000 : READ

/** Those of some paths that are really below a folder, and not behind a link that has come in between. */
export async function reallyBelow(root: string, paths: readonly BytePath[]): Promise<BytePath[]> {
  const there: BytePath[] = []
  for (const path of paths) {
    const file = await openReal(pathBelow(root, path), LOOK)
    if (!file) continue
    there.push(path)
    await file.close()
  }
  return there
}

function pathBelow(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(root.endsWith('/') ? root : `${root}/`), pathBytes(path)])
}

/**
 * Opens what lies at a real path. It is asked of what was opened where it lies, not of the path: that one may lead to
 * another place at each look. Nothing where it lies elsewhere, is gone, or can't be read.
 */
async function openReal(path: Buffer, flags: number): Promise<FileHandle | undefined> {
  const file = await open(path, flags | (constants.O_NOFOLLOW ?? 0) | NO_LINKS).catch(notThere)
  if (!file || isAt(file.fd, path)) return file
  await file.close()
  return undefined
}

function notThere(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'EMFILE' || error.code === 'ENFILE') throw error
}

// O_NOFOLLOW_ANY of macOS: no part of the path may be a link. Node does not name it.
const NO_LINKS = process.platform === 'darwin' ? 0x20000000 : 0

function isAt(file: number, path: Buffer): boolean {
  try {
    if (canHold) return readlinkSync(`/proc/self/fd/${file}`, { encoding: 'buffer' }).equals(path)
    const text = path.toString()
    const [held, there] = [fstatSync(file, { bigint: true }), lstatSync(text, { bigint: true })]
    return held.ino === there.ino && held.dev === there.dev && realpathSync.native(text).replaceAll(sep, '/') === text
  } catch {
    return false
  }
}
