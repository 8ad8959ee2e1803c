import { cleanText } from '../../terminal/clean-text.js'
import { columnsOf, graphemes } from '../../terminal/text.js'

/** How a piece of text looks; without colour only the words are left. */
export type Style = 'bold' | 'dim' | 'italic' | 'underline' | 'strike' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

/** A piece of text in one look. Its text has no control characters: `cleanText` has seen it. */
export interface Span {
  readonly text: string
  readonly styles?: readonly Style[]
}

/** One line of the screen. */
export type Line = readonly Span[]

/** A span of a text that may come from anywhere. */
export function span(text: string, ...styles: Style[]): Span {
  return styles.length > 0 ? { text, styles } : { text }
}

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

/** Columns that a line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + columnsOf(text), 0)
}

/** A text of any origin as lines that fit. */
export function plainLines(text: string, width: number, ...styles: Style[]): Line[] {
  return cleanText(text)
    .split('\n')
    .flatMap((line) => wrapLine([span(line, ...styles)], width))
}

const CODES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
}

/** A line as it is written to the terminal. */
export function paintLine(line: Line, hasColour: boolean): string {
  return line.map(({ text, styles }) => (hasColour && styles ? styled(text, styles) : text)).join('')
}

function styled(text: string, styles: readonly Style[]): string {
  return styles.reduce((inner, style) => {
    const [on, off] = CODES[style]
    return `\u001b[${on}m${inner}\u001b[${off}m`
  }, text)
}

/** What moves the cursor up. */
export function cursorUp(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : ''
}
