const UTF16LE = Buffer.from([0xff, 0xfe])
const UTF16BE = Buffer.from([0xfe, 0xff])
const UTF8 = Buffer.from([0xef, 0xbb, 0xbf])

const LOOKED_AT = 65_536

/**
 * The text of a file as ripgrep reads it: by its byte order mark, else UTF-8. Nothing for a binary file, which has a NUL.
 * Who only wants the first match meets a NUL late in a file not at all: with `isPartEnough` the text before it counts.
 */
export function decodeFile(bytes: Buffer, isPartEnough = false): string | undefined {
  const text = decoded(bytes)
  const end = text.indexOf('\0')
  if (end === -1) return text
  return isPartEnough && end > LOOKED_AT ? text.slice(0, end) : undefined
}

function decoded(bytes: Buffer): string {
  if (bytes.subarray(0, 2).equals(UTF16LE)) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes.subarray(0, 2).equals(UTF16BE)) return new TextDecoder('utf-16be').decode(bytes)
  return bytes.subarray(0, 3).equals(UTF8) ? bytes.toString('utf8', 3) : bytes.toString()
}
