import { cleanText } from '../../text/clean-text.js'
import { columnsOf } from '../../text/columns-of.js'
import { graphemes } from '../../text/graphemes.js'
import type { Editor } from '../input/editor.js'
import { type Line, span } from '../text/span.js'

export interface Placed {
  readonly lines: readonly Line[]
  /** Where the cursor stands in them. */
  readonly cursor: { readonly x: number; readonly y: number }
}

const MARK = '❯ '

/** What is typed, broken where the screen ends; of a long text the lines around the cursor. */
export function editorLines({ text, cursor }: Editor, width: number, most: number): Placed {
  const rows: string[] = ['']
  let at = { x: 0, y: 0 }
  let used = 0
  const room = Math.max(2, width - MARK.length - 1)
  const turn = () => {
    rows.push('')
    used = 0
  }
  let place = 0
  const stand = () => {
    if (place === cursor) at = { x: used, y: rows.length - 1 }
  }
  for (const grapheme of graphemes(text)) {
    const isPlain = grapheme.length === 1 && grapheme >= ' ' && grapheme <= '~'
    const shown = isPlain ? grapheme : grapheme === '\n' ? '' : cleanText(grapheme)
    const columns = isPlain ? 1 : columnsOf(shown)
    if (used + columns > room) turn()
    stand()
    rows[rows.length - 1] += shown
    used += columns
    place += grapheme.length
    if (grapheme === '\n') turn()
  }
  stand()
  const first = Math.max(0, Math.min(at.y - most + 1, rows.length - most))
  const lines = rows
    .slice(first, first + most)
    .map((row, index) => [index + first === 0 ? span(MARK, 'cyan') : span(' '.repeat(MARK.length)), span(row)])
  return { lines, cursor: { x: MARK.length + at.x, y: at.y - first } }
}
