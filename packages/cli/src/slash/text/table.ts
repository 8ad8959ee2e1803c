import { columnsOf } from '../../text/columns-of.js'
import { cutText } from './cut-text.js'
import { padText } from './pad-text.js'
import { type Colour, paint } from './paint.js'
import { wrapText } from './wrap-text.js'

export interface TableOptions {
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
