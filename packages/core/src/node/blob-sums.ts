import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing } from './write-file.js'

/** What a blob was when it was written. A line each, beside the folder, so that it outlives the folder. */
interface Sum {
  readonly blob: string
  readonly bytes: number
  readonly sha256: string
}

/** What became of the blobs of a session since they were written. */
export interface CheckedBlobs {
  readonly known: number
  readonly problems: readonly string[]
}

/** The file that says what the blobs of a folder are. */
function sumsPath(blobs: string): string {
  return `${blobs.replace(/\.blobs$/, '')}.sums`
}

/** Notes what a blob is, once it is there: a crash in between leaves one that can not be checked, and none that seems lost. */
export async function noteSum(blobs: string, sum: Sum): Promise<void> {
  await appendFile(sumsPath(blobs), `${JSON.stringify(sum)}\n`, { mode: 0o600 })
}

/** Compares every blob that was written with what is there now. */
export async function checkBlobs(blobs: string): Promise<CheckedBlobs> {
  const sums = await readSums(blobs)
  const problems: string[] = []
  for (const { blob, bytes, sha256 } of sums) {
    const path = join(blobs, blob)
    const found = await stat(path).catch(ignoreMissing)
    if (!found?.isFile()) problems.push(`${path} is missing`)
    else if (found.size < bytes) problems.push(`${path} is cut: ${found.size} of ${bytes} bytes are there`)
    else if (found.size > bytes || (await hashOfFile(path)) !== sha256)
      problems.push(`${path} is not as it was written`)
  }
  return { known: sums.length, problems }
}

/** The last word on each blob; a line that was cut off says nothing. */
async function readSums(blobs: string): Promise<readonly Sum[]> {
  const text = (await readFile(sumsPath(blobs), 'utf8').catch(ignoreMissing)) ?? ''
  const sums = new Map<string, Sum>()
  for (const line of text.split('\n')) {
    try {
      const sum = JSON.parse(line) as Sum
      sums.set(sum.blob, sum)
    } catch {
      // Cut off while it was written.
    }
  }
  return [...sums.values()]
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Takes the blobs as they are now, after they were changed on purpose. */
export async function sumAnew(blobs: string): Promise<void> {
  const sums = await readSums(blobs)
  if (sums.length === 0) return
  const lines: string[] = []
  for (const sum of sums) {
    const path = join(blobs, sum.blob)
    const found = await stat(path).catch(ignoreMissing)
    const now = found ? { ...sum, bytes: found.size, sha256: await hashOfFile(path) } : sum
    lines.push(`${JSON.stringify(now)}\n`)
  }
  const unfinished = `${sumsPath(blobs)}.new`
  await rm(unfinished, { force: true })
  await appendFile(unfinished, lines.join(''), { mode: 0o600 })
  await rename(unfinished, sumsPath(blobs))
}
