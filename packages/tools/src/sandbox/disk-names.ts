import { isUtf8 } from 'node:buffer'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Names on a disk are bytes, and a command may choose some that are no text: what was made by such a name would never be
 * found again by the text of it. So each byte of it that is none is a half character here, which no text has.
 */
const ESCAPED = /(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/

/** What is in a folder, each with its path. */
export async function entriesOf(folder: string) {
  const entries = await readdir(onDisk(folder), { withFileTypes: true, encoding: 'buffer' })
  return entries.map((entry) => {
    const name = nameOf(entry.name)
    return { entry, name, path: join(folder, name) }
  })
}

function nameOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  return [...bytes].map((byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join('')
}

/** A path as the system knows it. */
export function onDisk(path: string): string | Buffer {
  return ESCAPED.test(path) ? bytesOf(path) : path
}

export function bytesOf(path: string): Buffer {
  return Buffer.concat(
    path
      .split(new RegExp(`(${ESCAPED.source})`))
      .map((part) => (ESCAPED.test(part) ? Buffer.from([part.charCodeAt(0) - 0xdc00]) : Buffer.from(part))),
  )
}

/** A path for people and models. */
export function shownPath(path: string): string {
  return path.replace(new RegExp(ESCAPED.source, 'g'), '\uFFFD')
}
