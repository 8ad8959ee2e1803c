import { columnsOf } from '../../text/columns-of.js'
import { graphemes } from '../../text/graphemes.js'
import { lineWidth } from './line-width.js'
import type { Line, Span } from './span.js'

/** As much of a line as fits, with a sign where something is missing. */
export function cutLine(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line
  const cut: Span[] = []
  let room = Math.max(0, width - 1)
  for (const each of line) {
    let text = ''
    for (const grapheme of graphemes(each.text)) {
      const columns = columnsOf(grapheme)
      if (columns > room) return [...cut, { ...each, text: `${text}…` }]
      room -= columns
      text += grapheme
    }
    cut.push({ ...each, text })
  }
  return cut
}
