import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { ignoreMissing, replaceFile } from './atomic-fs.js'
import type { TreeEntry } from './objects.js'

const HEADER = 12
const FIXED = 62
const CHECKSUM = 20
const EXTENDED = 0x4000
const STAGE = 0x3000
const NAME = 0xfff

/** An entry of git's index as it stands there, path included. */
interface IndexEntry {
  readonly path: string
  readonly oid: string
  readonly stage: number
  readonly bytes: Buffer
}

/** A file in the working tree that is known to have these contents. */
interface KnownFile {
  readonly oid: string
  readonly stats: BigIntStats
}

interface IndexUpdate {
  readonly path: string
  readonly temporary: string
  /** All files of the commit that is checked out. */
  readonly entries: ReadonlyMap<string, TreeEntry>
  /** The files of the working tree that were looked at. */
  readonly known: ReadonlyMap<string, KnownFile>
  /** Whether there is a file of that name in the working tree. */
  readonly isThere: (path: string) => Promise<boolean>
}

/**
 * Brings git's index to the checked out commit, so that `git status` has nothing to say about our changes. What a person
 * has staged and is in no commit stays staged, and what git knew about other files is kept.
 */
export async function updateIndex({ path, temporary, entries, known, isThere }: IndexUpdate): Promise<void> {
  const old = await readIndex(path)
  const staged = new Map(old.filter(({ stage }) => stage === 0).map((entry) => [entry.path, entry]))
  const rows: { readonly key: Buffer; readonly bytes: Buffer }[] = []
  for (const [file, entry] of entries) {
    const { oid, stats } = known.get(file) ?? {}
    const before = staged.get(file)
    const isKept = before?.oid === entry.oid && oid !== entry.oid
    const bytes = isKept ? before.bytes : encodeEntry(file, entry, oid === entry.oid ? stats : undefined)
    rows.push({ key: Buffer.from(file), bytes })
  }
  for (const { path: file, stage, bytes } of old) {
    const isStale = entries.has(file) || stage !== 0 || isInTheWay(file, entries) || !(await isThere(file))
    if (!isStale) rows.push({ key: Buffer.from(file), bytes })
  }
  rows.sort((left, right) => Buffer.compare(left.key, right.key))
  await replaceFile(path, encodeIndex(rows.map(({ bytes }) => bytes)), temporary)
}

/** Whether git waits for a person to choose between versions of a file, as after a stash that did not fit. */
export async function hasConflicts(path: string): Promise<boolean> {
  return (await readIndex(path)).some(({ stage }) => stage !== 0)
}

/** A file can't be staged where the commit has a folder. */
function isInTheWay(file: string, entries: ReadonlyMap<string, TreeEntry>): boolean {
  const names = file.split('/')
  return names.some((_, depth) => depth > 0 && entries.has(names.slice(0, depth).join('/')))
}

/** The entries of an index of version 2 or 3. Another one, or a damaged one, is made anew without them. */
async function readIndex(path: string): Promise<readonly IndexEntry[]> {
  const data = await readFile(path).catch(ignoreMissing)
  if (data === undefined || data.length < HEADER + CHECKSUM) return []
  const version = data.readUInt32BE(4)
  const isReadable = data.toString('latin1', 0, 4) === 'DIRC' && (version === 2 || version === 3)
  const sum = createHash('sha1').update(data.subarray(0, -CHECKSUM)).digest()
  // Git writes zeros where it was told to skip the sum.
  const isWhole = sum.equals(data.subarray(-CHECKSUM)) || data.subarray(-CHECKSUM).every((byte) => byte === 0)
  if (!isReadable || !isWhole) return []
  const entries: IndexEntry[] = []
  let at = HEADER
  for (let left = data.readUInt32BE(8); left > 0; left--) {
    const flags = data.readUInt16BE(at + 60)
    const begin = at + FIXED + (flags & EXTENDED ? 2 : 0)
    const end = data.indexOf(0, begin)
    if (end < 0) return []
    const next = at + paddedLength(end - at)
    const stage = (flags & STAGE) >> 12
    const oid = data.toString('hex', at + 40, at + 60)
    entries.push({ path: data.toString('utf8', begin, end), oid, stage, bytes: data.subarray(at, next) })
    at = next
  }
  return entries
}

function paddedLength(length: number): number {
  return length + 8 - (length % 8)
}

const low32 = (value: bigint) => Number(BigInt.asUintN(32, value))
const BILLION = 1_000_000_000n

/** Without stats git compares the contents itself, once. */
function encodeEntry(path: string, { oid, mode }: TreeEntry, stats: BigIntStats | undefined): Buffer {
  const name = Buffer.from(path)
  const bytes = Buffer.alloc(paddedLength(FIXED + name.length))
  if (stats) {
    const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = stats
    const fields = [ctimeNs / BILLION, ctimeNs % BILLION, mtimeNs / BILLION, mtimeNs % BILLION, dev, ino]
    for (const [index, field] of fields.entries()) bytes.writeUInt32BE(low32(field), index * 4)
    for (const [index, field] of [uid, gid, size].entries()) bytes.writeUInt32BE(low32(field), 28 + index * 4)
  }
  bytes.writeUInt32BE(Number.parseInt(mode, 8), 24)
  bytes.write(oid, 40, 'hex')
  bytes.writeUInt16BE(Math.min(name.length, NAME), 60)
  name.copy(bytes, FIXED)
  return bytes
}

function encodeIndex(entries: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER)
  header.write('DIRC', 'latin1')
  header.writeUInt32BE(entries.some((bytes) => bytes.readUInt16BE(60) & EXTENDED) ? 3 : 2, 4)
  header.writeUInt32BE(entries.length, 8)
  const body = Buffer.concat([header, ...entries])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}
