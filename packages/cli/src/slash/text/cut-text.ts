import { columnsOf } from '../../text/columns-of.js'
import { graphemes } from '../../text/graphemes.js'

/** The beginning of a text on one line that fits into so many columns; `…` says that there was more. */
export function cutText(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (columnsOf(line) <= width) return line
  let cut = ''
  let used = 0
  for (const segment of graphemes(line)) {
    used += columnsOf(segment)
    if (used > width - 1) break
    cut += segment
  }
  return `${cut.trimEnd()}…`
}
