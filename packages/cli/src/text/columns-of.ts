import stringWidth from 'string-width'
import { graphemes } from './graphemes.js'

/** Above this, a text is measured piece by piece: see `graphemes`. */
const LONG = 1_000

/** Columns that a text takes on a terminal. */
export function columnsOf(text: string): number {
  if (text.length <= LONG) return stringWidth(text)
  return graphemes(text).reduce((sum, grapheme) => sum + columnsOfOne(grapheme), 0)
}

function columnsOfOne(grapheme: string): number {
  return grapheme.length === 1 && grapheme >= ' ' && grapheme <= '~' ? 1 : stringWidth(grapheme)
}
