import {
  chmodSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** A file as it was found. */
export interface Entry {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly mode: number
  readonly owner: string
  readonly changed: bigint
  /** Of everything that tells of a change, the quick part: the same text, the same file. */
  readonly stamp: string
  readonly bytes?: Buffer
  readonly target?: string
}

export type Snapshot = ReadonlyMap<string, Entry>

/** All that is below a folder, by path. What did not change since `earlier` is not read again. */
export function snapshot(folder: string, earlier?: Snapshot): Snapshot {
  const found = new Map<string, Entry>()
  const look = (path: string) => {
    const entry = lookAt(path, earlier?.get(path))
    if (!entry) return
    found.set(path, entry)
    if (entry.kind === 'folder') for (const name of namesIn(path)) look(join(path, name))
  }
  look(folder)
  return found
}

function lookAt(path: string, earlier: Entry | undefined): Entry | undefined {
  try {
    const { ino, mode, uid, gid, nlink, size, mtimeNs, ctimeNs } = lstatSync(named(path), { bigint: true })
    const stamp = [ino, mode, uid, gid, nlink, size, mtimeNs, ctimeNs].join(' ')
    if (earlier?.stamp === stamp) return earlier
    const entry = { mode: Number(mode), owner: `${uid}:${gid}`, changed: mtimeNs, stamp }
    const format = Number(mode) & 0o170000
    if (format === 0o040000) return { ...entry, kind: 'folder' }
    if (format === 0o120000) return { ...entry, kind: 'link', target: readlinkSync(named(path)) }
    if (format === 0o100000) return { ...entry, kind: 'file', bytes: readFileSync(named(path)) }
    return { ...entry, kind: 'other' }
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(named(folder), 'latin1')
  } catch {
    return []
  }
}

/** Names are bytes, some of which are no text: so a letter stands for each byte. */
function named(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}

export interface Change {
  readonly path: string
  readonly what: string
}

/** What is different between two looks at a folder. */
export function changes(before: Snapshot, after: Snapshot): Change[] {
  const found: Change[] = []
  for (const [path, was] of before) {
    const is = after.get(path)
    if (is !== was) found.push({ path, what: is ? difference(was, is) : 'is gone' })
  }
  for (const [path, is] of after) if (!before.has(path)) found.push({ path, what: `is new (${is.kind})` })
  return found
}

function difference(was: Entry, is: Entry): string {
  if (was.kind !== is.kind) return `was a ${was.kind} and is a ${is.kind}`
  if (was.target !== is.target) return `points to ${is.target}`
  if (was.bytes && is.bytes && !was.bytes.equals(is.bytes))
    return `has other content: ${JSON.stringify(is.bytes.subarray(0, 80).toString())}`
  if (was.mode !== is.mode) return `has the mode ${is.mode.toString(8)}`
  if (was.owner !== is.owner) return `belongs to ${is.owner}`
  if (was.changed !== is.changed)
    return was.kind === 'folder' ? 'had something made or removed in it' : 'has another time'
  return 'was linked, touched or replaced'
}

/** Makes a folder again what it was. Sockets and pipes are not made again. */
export function restore(before: Snapshot, after: Snapshot): void {
  const news = [...after.keys()].filter((path) => before.get(path)?.kind !== after.get(path)?.kind)
  for (const path of news) if (after.get(path)?.kind === 'folder') chmodSync(named(path), 0o700)
  for (const path of news.reverse()) rmSync(named(path), { recursive: true, force: true })
  const folders: string[] = []
  for (const [path, was] of before) {
    const is = after.get(path)
    if (is === was) continue
    if (was.kind === 'folder') {
      mkdirSync(named(path), { recursive: true })
      chmodSync(named(path), was.mode | 0o700)
      folders.push(path)
    } else putBack(path, was, is?.kind === was.kind ? is : undefined)
  }
  for (const path of folders.reverse()) mend(path, before.get(path) as Entry)
}

function putBack(path: string, was: Entry, is: Entry | undefined): void {
  if (was.kind === 'other') return
  if (was.kind === 'link') {
    if (is?.target === was.target) return
    rmSync(named(path), { force: true })
    symlinkSync(was.target ?? '', named(path))
    return
  }
  // Written in place it would have to be one that may be written to.
  if (!is?.bytes?.equals(was.bytes as Buffer)) {
    rmSync(named(path), { force: true })
    writeFileSync(named(path), was.bytes as Buffer)
  }
  mend(path, was)
}

function mend(path: string, { mode, owner, changed }: Entry): void {
  const [uid = 0, gid = 0] = owner.split(':').map(Number)
  if (process.getuid?.() === 0) lchownSync(named(path), uid, gid)
  chmodSync(named(path), mode & 0o7777)
  const seconds = Number(changed / 1000n) / 1e6
  lutimesSync(named(path), seconds, seconds)
}
