import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { NacreError } from '../errors.js'
import { sumAnew } from './blob-sums.js'
import { corruptLine, decodeBatch, encodeBatch, type LogBytes, linesForwards, withLog } from './log-lines.js'
import type { SessionPlace } from './places.js'
import { asidePath } from './read-log.js'
import { ignoreMissing, syncFolder, unfinishedFile, unwritable, writeNewFile } from './write-file.js'

const TOMBSTONE = '[purged]'
/** Names and kinds that hold a log together. */
const STRUCTURE: readonly string[] = ['id', 'kind', 'type']

/** Takes a secret out of a session's log and blobs, and leaves a tombstone. Only for the holder of the session. */
export async function purgeSession({ log, blobs }: SessionPlace, secret: string): Promise<void> {
  const forms = secretForms(secret)
  const needles = forms.map((form) => Buffer.from(form))
  try {
    await mkdir(blobs, { recursive: true, mode: 0o700 })
    const aside = asidePath(log)
    const kept = (await stat(aside).catch(ignoreMissing)) ? [aside] : []
    for (const path of [...(await readdir(blobs)).map((name) => join(blobs, name)), ...kept]) {
      await rewrite(path, blobs, () => replaceBytes(createReadStream(path), needles, Buffer.from(TOMBSTONE)))
    }
    await withLog(log, (bytes) => rewrite(log, blobs, () => purgedLines(bytes, forms))).catch(ignoreMissing)
    await sumAnew(blobs)
    // It was made for the copy, if the session has no blobs.
    await rmdir(blobs).catch(() => undefined)
    await syncFolder(dirname(log))
  } catch (error) {
    throw unwritable(error, log)
  }
}

/** The old file stays until the new one is whole and on the disk. */
async function rewrite(path: string, folder: string, content: () => AsyncIterable<Buffer>): Promise<void> {
  const unfinished = unfinishedFile(folder)
  try {
    await writeNewFile(unfinished, content())
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function* purgedLines(log: LogBytes, forms: readonly string[]): AsyncGenerator<Buffer> {
  for await (const { start, bytes } of linesForwards(log.read, 0, log.end)) {
    const batch = decodeBatch(bytes, log.path)
    if (batch === undefined) throw await corruptLine(log, start)
    yield encodeBatch(purged(batch, forms))
  }
}

function purged<Value>(value: Value, forms: readonly string[]): Value {
  const copy = (inner: unknown): unknown => {
    if (typeof inner === 'string') return forms.reduce((text, form) => text.replaceAll(form, TOMBSTONE), inner)
    if (Array.isArray(inner)) return inner.map(copy)
    if (typeof inner !== 'object' || inner === null) return inner
    const fields = Object.entries(inner).map(([key, field]) =>
      STRUCTURE.includes(key) && typeof field === 'string' ? [key, field] : [copy(key), copy(field)],
    )
    return Object.fromEntries(fields)
  }
  return copy(value) as Value
}

/** Replaces every occurrence of the needles in a stream, also one that is spread over two chunks. */
export async function* replaceBytes(
  chunks: AsyncIterable<Uint8Array>,
  needles: readonly Buffer[],
  replacement: Buffer,
): AsyncGenerator<Buffer> {
  // As much as could be the beginning of a needle waits for the next chunk.
  const overlap = Math.max(...needles.map(({ length }) => length)) - 1
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    for (let hit = firstHit(rest, needles); hit !== undefined; hit = firstHit(rest, needles)) {
      yield rest.subarray(0, hit.start)
      yield replacement
      rest = rest.subarray(hit.end)
    }
    const keep = Math.min(overlap, rest.length)
    yield rest.subarray(0, rest.length - keep)
    rest = rest.subarray(rest.length - keep)
  }
  yield rest
}

function firstHit(bytes: Buffer, needles: readonly Buffer[]): { start: number; end: number } | undefined {
  const hits = needles
    .map((needle) => ({ start: bytes.indexOf(needle), length: needle.length }))
    .filter(({ start }) => start >= 0)
    // Of two that begin together the longer one leaves nothing of the secret behind.
    .sort((one, other) => one.start - other.start || other.length - one.length)
  return hits[0] && { start: hits[0].start, end: hits[0].start + hits[0].length }
}

const SHORTEST = 4

/** A secret as it is, and as it stands in JSON text. The longest comes first. */
function secretForms(secret: string): readonly string[] {
  if (secret.length < SHORTEST) {
    throw new NacreError(
      'INVALID_REQUEST',
      `A secret has at least ${SHORTEST} characters: a shorter one is everywhere.`,
    )
  }
  const inJson = JSON.stringify(secret).slice(1, -1)
  return inJson === secret ? [secret] : [inJson, secret]
}
