import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { decodeBatch, encodeBatch } from './batch-line.js'
import { corruptLine } from './corrupt-line.js'
import { type LogBytes, withLog } from './log-bytes.js'
import { linesForwards } from './log-lines.js'
import { replaceBytes } from './replace-bytes.js'
import { secretForms } from './secret-forms.js'
import type { SessionPlace } from './session-place.js'
import { ignoreMissing, unwritable } from './store-error.js'
import { syncFolder } from './sync-folder.js'
import { unfinishedFile } from './unfinished-file.js'
import { writeNewFile } from './write-new-file.js'

const TOMBSTONE = '[purged]'
/** Names and kinds that hold a log together. */
const STRUCTURE: readonly string[] = ['id', 'kind', 'type']

/** Takes a secret out of a session's log and blobs, and leaves a tombstone. Only for the holder of the session. */
export async function purgeSession({ log, blobs }: SessionPlace, secret: string): Promise<void> {
  const forms = secretForms(secret)
  const needles = forms.map((form) => Buffer.from(form))
  try {
    await mkdir(blobs, { recursive: true, mode: 0o700 })
    for (const name of await readdir(blobs)) {
      const path = join(blobs, name)
      await rewrite(path, blobs, () => replaceBytes(createReadStream(path), needles, Buffer.from(TOMBSTONE)))
    }
    await withLog(log, (bytes) => rewrite(log, blobs, () => purgedLines(bytes, forms))).catch(ignoreMissing)
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

/** Lines change their length, so the offsets that were noted move along. */
async function* purgedLines(log: LogBytes, forms: readonly string[]): AsyncGenerator<Buffer> {
  const moved = new Map<number, number>()
  let offset = 0
  for await (const { start, bytes } of linesForwards(log.read, 0, log.end)) {
    const batch = decodeBatch(bytes, log.path)
    if (batch === undefined) throw await corruptLine(log, start)
    moved.set(start, offset)
    const { at, ...rest } = purged(batch, forms)
    const place = at === undefined ? undefined : moved.get(at)
    const line = encodeBatch(place === undefined ? rest : { ...rest, at: place })
    offset += line.length
    yield line
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
