import { type FileHandle, open } from 'node:fs/promises'
import { NacreError } from '../errors.js'
import type { Entry } from '../types/log.js'

const BLOCK = 64 * 1024
/** Who goes on reading forwards reads all there is, so larger and larger pieces pay. */
const LARGEST = 1024 * 1024
const NEWLINE = 10

interface Line {
  readonly start: number
  /** Without its newline. */
  readonly bytes: Buffer
  /** A line that has no newline was never written to its end. */
  readonly isWhole: boolean
}

/**
 * The lines before `end`, the last one first; no byte before `floor` is read, and no line given that begins there. Most
 * readers want only the last few: who goes on beyond the first piece gets larger ones, each read while the one behind it
 * is worked on.
 */
export async function* linesBackwards(read: ReadAt, end: number, floor = 0): AsyncGenerator<Line> {
  let pieces: Buffer[] = []
  let isWhole = false
  let position = end
  let size = BLOCK
  const readNext = () => {
    const length = Math.min(size, position - floor)
    size = Math.min(LARGEST, 2 * size)
    position -= length
    return { start: position, block: read(position, length) }
  }
  let ahead: ReturnType<typeof readNext> | undefined
  try {
    while (ahead || position > floor) {
      const isFirst = position === end
      const { start, block: reading } = ahead ?? readNext()
      const block = await reading
      ahead = isFirst || position <= floor ? undefined : readNext()
      let cut = block.length
      while (cut > 0) {
        const newline = block.lastIndexOf(NEWLINE, cut - 1)
        if (newline < 0) break
        const bytes = joined([block.subarray(newline + 1, cut), ...pieces.toReversed()])
        pieces = []
        if (isWhole || bytes.length > 0) yield { start: start + newline + 1, bytes, isWhole }
        isWhole = true
        cut = newline
      }
      pieces.push(block.subarray(0, cut))
    }
  } finally {
    // Who leaves early closes the file: what is still being read from it has to end before.
    await ahead?.block.catch(() => undefined)
  }
  if (floor > 0) return
  const bytes = joined(pieces.toReversed())
  if (isWhole || bytes.length > 0) yield { start: 0, bytes, isWhole }
}

/** The lines from `start` to `end`, in order. While one piece is worked on the next is read. */
export async function* linesForwards(read: ReadAt, start: number, end: number): AsyncGenerator<Line> {
  let pieces: Buffer[] = []
  let lineStart = start
  let size = BLOCK
  let ahead = read(start, Math.min(size, end - start))
  try {
    for (let position = start; position < end; ) {
      const [block, blockStart] = [await ahead, position]
      position += size
      size = Math.min(LARGEST, 2 * size)
      if (position < end) ahead = read(position, Math.min(size, end - position))
      let cut = 0
      for (let newline = block.indexOf(NEWLINE); newline >= 0; newline = block.indexOf(NEWLINE, cut)) {
        yield { start: lineStart, bytes: joined([...pieces, block.subarray(cut, newline)]), isWhole: true }
        pieces = []
        cut = newline + 1
        lineStart = blockStart + cut
      }
      pieces.push(block.subarray(cut))
    }
  } finally {
    // Who leaves early closes the file: what is still being read from it has to end before.
    await ahead.catch(() => undefined)
  }
  const bytes = joined(pieces)
  if (bytes.length > 0) yield { start: lineStart, bytes, isWhole: false }
}

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
}

const VERSION = 1

/** A batch is one line: what has no newline, or is no JSON, was torn and counts as a whole or not at all. */
export interface Batch {
  readonly entries: readonly Entry[]
  /** The title in force, repeated so that a tail has it. */
  readonly title?: string
}

/** The line of a batch, with its newline. */
export function encodeBatch({ entries, title }: Batch): Buffer {
  try {
    return Buffer.from(`${JSON.stringify({ v: VERSION, title, entries })}\n`)
  } catch (cause) {
    throw new NacreError('INVALID_REQUEST', 'An entry is no JSON. Nothing of its batch was written.', { cause })
  }
}

/** `undefined` if the line is broken or foreign; throws if a later version wrote it, for it must not be lost. */
export function decodeBatch(line: Buffer, path: string): Batch | undefined {
  const value = parsed(line)
  if (typeof value !== 'object' || value === null || !('v' in value) || typeof value.v !== 'number') return undefined
  if (value.v > VERSION) {
    throw new NacreError('STORE_CORRUPT', `${path} has format ${value.v}, this version reads ${VERSION}. Update nacre.`)
  }
  const isBatch = 'entries' in value && Array.isArray(value.entries) && value.entries.every(isEntry)
  return isBatch ? (value as unknown as Batch) : undefined
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false
  return 'id' in value && typeof value.id === 'string' && 'kind' in value && typeof value.kind === 'string'
}

/** A log as it was at one moment: what is appended behind `end` meanwhile is not seen. */
export interface LogBytes {
  readonly path: string
  readonly read: ReadAt
  readonly end: number
}

/** Opens a log for as long as `use` needs it. */
export async function withLog<Result>(path: string, use: (log: LogBytes) => Promise<Result>): Promise<Result> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    return await use({ path, read: readAt(handle), end: size })
  } finally {
    await handle.close()
  }
}

/** The bytes at a place of a file; fewer only where the file ends. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>

/** Reads from an open file. */
export function readAt(handle: FileHandle): ReadAt {
  return async (position, length) => {
    const buffer = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  }
}

/** Names the line that is broken. It is counted only now: a read that starts at a checkpoint knows offsets alone. */
export async function corruptLine({ path, read }: LogBytes, offset: number): Promise<NacreError> {
  let number = 1
  for await (const _ of linesForwards(read, 0, offset)) number++
  const advice = 'Something else wrote there. Restore the file, or remove the line and open the session again.'
  return new NacreError('STORE_CORRUPT', `${path}, line ${number}: this is no batch of entries. ${advice}`)
}
