import { randomUUID } from 'node:crypto'
import { constants, type Dirent, type Stats } from 'node:fs'
import { lstat, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { makePrivateFolder, syncFolder } from '@nacre/core/node'

/** What a file of a memory may hold. */
const MAX_FILE_BYTES = 1_000_000

/** A file of a memory as a list shows it. */
export interface ListedFile {
  readonly file: string
  readonly bytes: number
}

const TEXT = new Set(['.md', '.markdown', '.txt'])
const MAX_DEPTH = 8
const MAX_NAME = 200

/** The path of a file of a memory. Throws, in words for the model, where the name could lead to anything else. */
async function memoryPath(folder: string, file: string): Promise<string> {
  const parts = file.split('/')
  const isSafe = parts.every((part) => /^[^.\\:\p{Cc}][^\\:\p{Cc}]*$/u.test(part))
  if (!isSafe || parts.length > MAX_DEPTH || file.length > MAX_NAME) {
    throw new Error(
      `${JSON.stringify(file)} is not a file of your memory. Name it from the folder of your memory on, such as ` +
        'MEMORY.md or topics/tests.md: no absolute path, no .. and no name that begins with a dot.',
    )
  }
  if (!TEXT.has(extname(file).toLowerCase())) {
    throw new Error(`${JSON.stringify(file)} is not a text: memory has files that end in .md or .txt.`)
  }
  await refuseLinks(folder, parts)
  return join(folder, ...parts)
}

/** Links are refused wherever they lead: the folder may come with a project that somebody else has written. */
async function refuseLinks(folder: string, parts: readonly string[]): Promise<void> {
  for (let count = 0; count <= parts.length; count++) {
    const path = join(folder, ...parts.slice(0, count))
    const stats = await found(path)
    if (stats === undefined) return
    if (stats.isSymbolicLink()) throw new Error(`${path} is a link, and memory has none. Choose another name.`)
    const isAsNeeded = count === parts.length ? stats.isFile() : stats.isDirectory()
    if (!isAsNeeded)
      throw new Error(`${path} is in the way: it is not a ${count === parts.length ? 'file' : 'folder'}.`)
  }
}

async function found(path: string): Promise<Stats | undefined> {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

// A link or a pipe may have taken the place of the file since: neither is followed or waited for. Windows has no such flags.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The bytes of a file of a memory; `undefined` where there is none. */
export async function readBytes(folder: string, file: string, limit: number): Promise<Buffer | undefined> {
  const path = await memoryPath(folder, file)
  const handle = await open(path, READ).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (handle === undefined) return undefined
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error(`${path} is not a regular file.`)
    if (stats.size > limit) throw new Error(`${file} has ${stats.size} bytes, and at most ${limit} can be read.`)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** The text of a file of a memory; `undefined` where there is none. */
export async function readText(folder: string, file: string): Promise<string | undefined> {
  const bytes = await readBytes(folder, file, MAX_FILE_BYTES)
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // To go on would be to lose, with the next change, what it really holds.
    throw new Error(`${file} is not text in UTF-8. Write it anew, or delete it.`)
  }
}

/** Puts a text in the place of a file: whoever reads it, and whatever is killed when, finds the old one or the new one. */
export async function writeText(folder: string, file: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  if (bytes.length > MAX_FILE_BYTES) {
    throw new Error(`${file} would have ${bytes.length} bytes, and at most ${MAX_FILE_BYTES} are kept. Split it.`)
  }
  const path = await memoryPath(folder, file)
  const parent = dirname(path)
  const unfinished = join(parent, `.tmp-${randomUUID()}`)
  await makePrivateFolder(parent)
  try {
    await writeDown(unfinished, bytes)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(parent)
}

async function writeDown(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Takes a file of a memory away; tells whether there was one. */
export async function removeFile(folder: string, file: string): Promise<boolean> {
  const path = await memoryPath(folder, file)
  if ((await found(path)) === undefined) return false
  await rm(path, { force: true })
  return true
}

const MAX_LISTED = 500

/** The files of a memory by name, and whether there are more of them than a list should have. */
export async function listFiles(
  folder: string,
): Promise<{ readonly files: readonly ListedFile[]; readonly isAll: boolean }> {
  const files: ListedFile[] = []
  const folders = (await found(folder))?.isDirectory() ? [''] : []
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch((): Dirent[] => [])
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const file = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory() && file.split('/').length < MAX_DEPTH) folders.push(file)
      if (!entry.isFile() || !TEXT.has(extname(entry.name).toLowerCase())) continue
      if (files.length === MAX_LISTED) return { files, isAll: false }
      files.push({ file, bytes: (await found(join(folder, file)))?.size ?? 0 })
    }
  }
  return { files, isAll: true }
}
