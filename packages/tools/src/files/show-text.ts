import { countLines } from './count-lines.js'
import { numbered } from './numbered.js'
import { MOST_CHARACTERS, type Part } from './part.js'
import { decodeText } from './text-file.js'
import { markOf, textFormat } from './text-format.js'

const LINES = 2_000
const NEWLINE = 10

/** Lines of a text file with their numbers, and what there is besides them. */
export function showText(path: string, bytes: Buffer, { offset = 1, limit = LINES }: Part): string {
  const { lines, total } = linesOf(utf8(bytes), offset, limit)
  if (lines.length === 0) throw new Error(`${path} has ${countLines(total)}: there is no line ${offset}.`)
  const shown = numbered(lines, offset)
  if (shown.length > MOST_CHARACTERS) {
    const fitting = Math.max(1, Math.floor((lines.length * MOST_CHARACTERS * 0.9) / shown.length))
    throw new Error(
      `The ${countLines(lines.length)} asked for of ${path} have ${shown.length} characters, and at most ${MOST_CHARACTERS} ` +
        `can be read at once. Use offset and limit: about ${fitting} lines fit. Or look for what you need with Grep.`,
    )
  }
  const last = offset + lines.length - 1
  if (last >= total) return shown
  return `${shown}\n(Lines ${offset} to ${last} of ${total}. The next are at offset ${last + 1}.)`
}

/** Most files are UTF-8 on disk: their lines are found without decoding all of them. */
function utf8(bytes: Buffer): Buffer {
  const format = textFormat(bytes)
  if (format?.encoding === 'utf8') return bytes.subarray(markOf(format).length)
  return Buffer.from(decodeText(bytes)?.text ?? '')
}

/** A newline at the end begins no other line. */
function linesOf(text: Buffer, first: number, limit: number): { readonly lines: string[]; readonly total: number } {
  const lines: string[] = []
  let total = 0
  for (let start = 0; start < text.length; total++) {
    const newline = text.indexOf(NEWLINE, start)
    const end = newline < 0 ? text.length : newline
    if (total + 1 >= first && lines.length < limit) lines.push(text.toString('utf8', start, end).replace(/\r$/, ''))
    start = end + 1
  }
  return { lines, total }
}
