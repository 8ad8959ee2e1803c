import { isUtf8 } from 'node:buffer'

/** How the text of a file is kept on disk. */
export interface TextFormat {
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be' | 'latin1'
  readonly hasMark: boolean
}

const MARKS: readonly (readonly [TextFormat['encoding'], readonly number[]])[] = [
  ['utf8', [0xef, 0xbb, 0xbf]],
  ['utf16le', [0xff, 0xfe]],
  ['utf16be', [0xfe, 0xff]],
]
const LOOKED_AT = 8_192
/** A text may have a few control characters, say in escape sequences; more than that is data. */
const CONTROLS = 0.1

/** The mark with which a text of that format begins on disk. */
export function markOf({ encoding, hasMark }: TextFormat): Buffer {
  const mark = MARKS.find(([name]) => name === encoding)?.[1] ?? []
  return Buffer.from(hasMark ? mark : [])
}

/** Finds out how a text is kept; `undefined` when the bytes are no text. */
export function textFormat(bytes: Buffer): TextFormat | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (marked) return { encoding: marked[0], hasMark: true }
  const head = bytes.subarray(0, LOOKED_AT)
  if (head.includes(0)) return wide(head)
  if (head.filter(isControl).length > head.length * CONTROLS) return undefined
  return { encoding: isUtf8(bytes) ? 'utf8' : 'latin1', hasMark: false }
}

/** Text of two bytes a character without a mark has its zeros at every other place. */
function wide(head: Buffer): TextFormat | undefined {
  const zeros = [0, 0]
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const isMost = (count: number) => count > head.length * 0.3
  if (head.length % 2 !== 0) return undefined
  if (isMost(odd) && even === 0) return { encoding: 'utf16le', hasMark: false }
  if (isMost(even) && odd === 0) return { encoding: 'utf16be', hasMark: false }
  return undefined
}

function isControl(byte: number): boolean {
  return byte < 32 && (byte < 8 || byte > 13) && byte !== 27
}
