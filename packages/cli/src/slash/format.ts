import type { Id, Receipt } from '@nacre/core'
import { columnsOf, graphemes } from '../terminal/text.js'

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** Numbers as people read them, the same in every command. */
export const figures = {
  /** `167,000` */
  count: (count: number): string => WHOLE.format(count),
  /** `$0.0123`: a hundredth of a cent, so that sums of small parts are right to the cent. */
  dollars: (dollars: number): string => `$${dollars.toFixed(4)}`,
  /** `83.2%` */
  percent: (share: number): string => `${(share * 100).toFixed(1)}%`,
  /** `1 message`, `2 messages` */
  counted: (count: number, what: string): string => `${WHOLE.format(count)} ${what}${count === 1 ? '' : 's'}`,
  /** `12 s`, `4 min 5 s`, `2 h 10 min`, `3 d` */
  duration(milliseconds: number): string {
    const seconds = Math.max(0, Math.round(milliseconds / 1_000))
    if (seconds < 60) return `${seconds} s`
    if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
    return `${Math.floor(seconds / 86_400)} d`
  },
}

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  brightRed: [91, 39],
  brightGreen: [92, 39],
  brightYellow: [93, 39],
  brightBlue: [94, 39],
} as const

export type Colour = keyof typeof CODES

/** Text in a colour, or as it is where there are none. */
export function paint(text: string, colour: Colour, hasColour: boolean): string {
  if (!hasColour || text === '') return text
  const [begin, end] = CODES[colour]
  return `\u001b[${begin}m${text}\u001b[${end}m`
}

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
    const wrapped = wrapWords(words.slice(hang.length), Math.max(2, width - margin - hang.length))
    return wrapped.map((part, index) => {
      const before = index === 0 ? hang : ' '.repeat(hang.length)
      return part === '' ? '' : ' '.repeat(margin) + before + part
    })
  })
}

/** Spaces between words stay as they are: columns that others have lined up stay lined up where they fit. */
function wrapWords(line: string, width: number): string[] {
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

/** Fills a text up to so many columns; wide characters count as what they take. */
export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - columnsOf(text)))
  return align === 'left' ? text + space : space + text
}

/** A term that starts further right than this leaves too little room beside it. */
const WIDEST = 24

/** Terms with what they mean beside them, or below where there is little room. */
export function definitions(
  terms: readonly (readonly [term: string, meaning: string])[],
  { width, hasColour }: { readonly width: number; readonly hasColour: boolean },
): string[] {
  const widest = Math.min(WIDEST, Math.max(0, ...terms.map(([term]) => columnsOf(term))))
  const margin = width - widest - 2 >= 28 ? widest + 2 : 2
  return terms.flatMap(([term, meaning]) => {
    const lines = wrapText(meaning, width, margin)
    const fitsBeside = margin > 2 && columnsOf(term) <= widest
    const name = (text: string) => paint(text, 'cyan', hasColour)
    if (!fitsBeside) return [...wrapText(term, width).map(name), ...lines]
    const [first = '', ...rest] = lines
    return [`${name(padText(term, widest))}  ${first.trimStart()}`.trimEnd(), ...rest]
  })
}

interface TableOptions {
  /** Titles; the first column holds words, the others figures. */
  readonly titles: readonly string[]
  readonly rows: readonly TableRow[]
  readonly width: number
  readonly hasColour: boolean
}

interface TableRow {
  readonly cells: readonly string[]
  readonly colour?: Colour
}

const GAP = 2
/** Narrower than this a first column says nothing any more. */
const LEAST = 10

/** Rows in columns; where they do not fit, each row on lines of its own, so that no figure is ever cut. */
export function table(options: TableOptions): string[] {
  const { titles, rows, width, hasColour } = options
  const widths = titles.map((title, column) =>
    Math.max(columnsOf(title), ...rows.map(({ cells }) => columnsOf(cells[column] ?? ''))),
  )
  const others = widths.slice(1).reduce((sum, each) => sum + each + GAP, 0)
  const first = Math.min(widths[0] ?? 0, width - others)
  if (first < Math.min(LEAST, widths[0] ?? 0)) return stacked(options)
  const line = (cells: readonly string[]) =>
    [padText(cutText(cells[0] ?? '', first), first)]
      .concat(cells.slice(1).map((cell, index) => padText(cell, widths[index + 1] ?? 0, 'right')))
      .join(' '.repeat(GAP))
      .trimEnd()
  return [
    paint(line(titles), 'dim', hasColour),
    ...rows.map(({ cells, colour }) => (colour ? paint(line(cells), colour, hasColour) : line(cells))),
  ]
}

function stacked({ titles, rows, width, hasColour }: TableOptions): string[] {
  return rows.flatMap(({ cells: [name = '', ...values], colour }) => {
    const head = wrapText(name, width).map((line) => (colour ? paint(line, colour, hasColour) : line))
    const body = values.flatMap((value, index) => {
      if (value === '') return []
      const title = titles[index + 1] ?? ''
      const space = width - 2 - columnsOf(title) - columnsOf(value)
      return space > 0 ? [`  ${title}${' '.repeat(space)}${value}`] : wrapText(`${title} ${value}`, width, 2)
    })
    return [...head, ...body]
  })
}

const WAYS: Readonly<Record<Receipt['rung'], string>> = {
  erase: 'by clearing on the server',
  clear: 'by clearing',
  notes: 'with notes at hand',
  summary: 'with a summary',
  digest: 'with a digest',
}

/** What a compaction did and cost, so short that it is one line on a usual screen; `/receipt` has the rest. */
export function receiptLine({ rung, tokens, dollars, checks, undo }: Receipt): string {
  const sizes = `${figures.count(tokens.before)} → ${figures.count(tokens.after)} tokens`
  const failed = checks.filter(({ ok }) => !ok).length
  const problem = failed > 0 ? ` ${figures.counted(failed, 'check')} failed, see /receipt.` : ''
  const price = figures.dollars(dollars.spent + dollars.rewrite)
  return `Compacted ${WAYS[rung]}: ${sizes}, ${price}.${problem} /undo ${shortId(undo)}`
}

/** The beginning of an id: enough to name it by. */
export function shortId(id: Id): string {
  return id.slice(0, 8)
}
