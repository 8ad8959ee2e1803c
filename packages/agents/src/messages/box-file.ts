import { createReadStream } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toFileName } from '@nacre/core/node'

/** Whose mail, and for whom. */
export interface Pair {
  readonly from: string
  readonly to: string
}

/** What lies in a box is named by its sender. */
export const MAIL = '.jsonl'

/** The folder that is the box of a member. No name has a dot in it, so nothing else in the team's folder is taken for one. */
export function boxFolder(team: string, name: string): string {
  return join(team, toFileName(name))
}

/** Whose box a folder is; `undefined` if it is none. */
export function boxOwner(folderName: string): string | undefined {
  try {
    const name = decodeURIComponent(folderName)
    return toFileName(name) === folderName ? name : undefined
  } catch {
    return undefined
  }
}

/** The lock that makes one process the member of a name. */
export function lockFolder(team: string, name: string): string {
  return `${boxFolder(team, name)}.lock`
}

/** Each sender has a file of its own in the box, which it alone writes: nobody can tear the lines of another. */
export function mailPath(team: string, { from, to }: Pair): string {
  return join(boxFolder(team, to), `${toFileName(from)}${MAIL}`)
}

/** Beside the mail of a sender the receiver says how far it has taken it in. */
export function ackPath(team: string, { from, to }: Pair): string {
  return join(boxFolder(team, to), `${toFileName(from)}.ack`)
}

/** The number of the last mail that the receiver has in its log; 0 where it says nothing that can be read. */
export async function readAck(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
    return ''
  })
  // Without its end it was cut off, and a part of a number is another number.
  return /^\d{1,15}\n$/.test(text) ? Number(text) : 0
}

/** Acknowledges all up to a number. Whoever reads it finds the old one or the new one. */
export async function writeAck(path: string, seq: number): Promise<void> {
  // Only the holder of the box writes here: one name for what is unfinished is enough, and leaves nothing behind.
  const unfinished = `${path}.tmp`
  await writeFile(unfinished, `${seq}\n`, { mode: 0o600 })
  await rename(unfinished, path)
}

/** A line without its end, and the byte behind that. */
export interface Line {
  readonly text: string
  readonly end: number
}

const NEWLINE = 10

/** The finished lines between two bytes of a file. What comes behind the last one is still being written, or torn. */
export async function* finishedLines(path: string, from: number, to: number): AsyncIterable<Line> {
  if (from >= to) return
  const parts: Buffer[] = []
  let end = from
  for await (const chunk of createReadStream(path, { start: from, end: to - 1 }) as AsyncIterable<Buffer>) {
    let begin = 0
    for (let cut = chunk.indexOf(NEWLINE); cut !== -1; cut = chunk.indexOf(NEWLINE, begin)) {
      const line = Buffer.concat([...parts.splice(0), chunk.subarray(begin, cut)])
      begin = cut + 1
      end += line.length + 1
      yield { text: line.toString('utf8'), end }
    }
    if (begin < chunk.length) parts.push(chunk.subarray(begin))
  }
}

/** The system's name for an error. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
