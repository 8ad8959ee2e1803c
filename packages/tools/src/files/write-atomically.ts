import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises'
import type { FilePlace } from './file-place.js'
import { sweepLeftovers, temporaryName } from './temporary-name.js'

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
  const temporary = folder.at(temporaryName(process.pid, randomBytes(4).toString('hex')))
  const handle = await open(temporary, 'wx', before ? before.mode & 0o777 : 0o666)
  try {
    const stats = await fill(handle, bytes, before)
    await mustBe(place, before)
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

async function mustBe({ folder, name, path }: FilePlace, before: Stats | undefined): Promise<void> {
  const now = await lstat(folder.at(name)).catch(() => undefined)
  const isSame = before
    ? now?.ino === before.ino && now.mtimeMs === before.mtimeMs && now.size === before.size
    : now === undefined
  if (!isSame)
    throw new Error(`${path} was changed by somebody else just now. Nothing was written: read it again first.`)
}
