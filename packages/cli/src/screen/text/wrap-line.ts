import { columnsOf } from '../../text/columns-of.js'
import { graphemes } from '../../text/graphemes.js'
import type { Line, Span, Style } from './span.js'

interface Cell {
  readonly text: string
  readonly width: number
  readonly styles: readonly Style[] | undefined
}

/** Breaks a line at words, and inside of a word that is wider than the screen. */
export function wrapLine(line: Line, width: number): Line[] {
  const room = Math.max(1, width)
  const lines: Cell[][] = []
  let current: Cell[] = []
  let used = 0
  const turn = (row: Cell[]) => {
    lines.push(row)
    current = []
    used = 0
  }
  for (const word of wordsOf(line)) {
    if (used > 0 && used + widthOf(withoutEnd(word)) > room) turn(withoutEnd(current))
    for (const cell of word) {
      // A blank may hang over: it is not seen.
      if (used > 0 && used + cell.width > room && cell.text !== ' ') turn(current)
      current.push(cell)
      used += cell.width
    }
  }
  return [...lines, withoutEnd(current)].map(joined)
}

/** Words, each with the blank behind it. */
function wordsOf(line: Line): Cell[][] {
  const words: Cell[][] = [[]]
  for (const { text, styles } of line) {
    for (const grapheme of graphemes(text)) {
      words.at(-1)?.push({ text: grapheme, width: columnsOf(grapheme), styles })
      if (grapheme === ' ') words.push([])
    }
  }
  return words
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0)
}

/** Blanks at the end of a line are not seen, and must not break it. */
function withoutEnd(cells: Cell[]): Cell[] {
  return cells.slice(0, cells.findLastIndex(({ text }) => text !== ' ') + 1)
}

function joined(cells: readonly Cell[]): Line {
  const spans: Span[] = []
  for (const { text, styles } of cells) {
    const last = spans.at(-1)
    if (last && last.styles === styles) spans[spans.length - 1] = { ...last, text: last.text + text }
    else spans.push(styles ? { text, styles } : { text })
  }
  return spans
}
