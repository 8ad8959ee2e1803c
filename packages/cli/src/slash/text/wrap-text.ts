import { columnsOf } from '../../text/columns-of.js'
import { graphemes } from '../../text/graphemes.js'

/** A label with its value behind at least two spaces, as receipts and lists have them. */
const LABEL = /^([!-~]+(?: [!-~]+)? {2,})\S/
/** Further right than this the rest of a value would have too little room. */
const WIDEST_LABEL = 16

/**
 * Lines of at most so many columns, broken between words where that is possible. The rest of a line is set in by as much
 * as the line is, or stands below the value where the line has a label.
 */
export function wrapText(text: string, width: number, indent = 0): string[] {
  return text.split('\n').flatMap((line) => {
    const own = indent + (line.length - line.trimStart().length)
    const margin = Math.min(own, Math.floor(width / 2))
    const words = line.trim()
    const label = LABEL.exec(words)?.[1] ?? ''
    const hang = label.length <= WIDEST_LABEL && width - margin >= 3 * WIDEST_LABEL ? label : ''
    const wrapped = wrapLine(words.slice(hang.length), Math.max(2, width - margin - hang.length))
    return wrapped.map((part, index) => {
      const before = index === 0 ? hang : ' '.repeat(hang.length)
      return part === '' ? '' : ' '.repeat(margin) + before + part
    })
  })
}

/** Spaces between words stay as they are: columns that others have lined up stay lined up where they fit. */
function wrapLine(line: string, width: number): string[] {
  if (columnsOf(line) <= width) return [line]
  const lines: string[] = []
  let current = ''
  let used = 0
  for (const word of line.split(/(\s+)/)) {
    const columns = columnsOf(word)
    if (used + columns <= width) {
      current += word
      used += columns
      continue
    }
    if (current.trim() !== '') lines.push(current.trimEnd())
    const pieces = word.trim() === '' ? [''] : breakWord(word, width)
    // One by one: there may be more of them than a call takes arguments.
    for (const piece of pieces.slice(0, -1)) lines.push(piece)
    current = pieces.at(-1) ?? ''
    used = columnsOf(current)
  }
  if (current.trim() !== '') lines.push(current.trimEnd())
  return lines
}

function breakWord(word: string, width: number): string[] {
  const pieces = ['']
  let used = 0
  for (const grapheme of graphemes(word)) {
    const columns = columnsOf(grapheme)
    if (used > 0 && used + columns > width) {
      pieces.push('')
      used = 0
    }
    pieces[pieces.length - 1] += grapheme
    used += columns
  }
  return pieces
}
