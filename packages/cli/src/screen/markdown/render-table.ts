import type { Tokens } from 'marked'
import { lineWidth } from '../text/line-width.js'
import { type Line, type Span, span } from '../text/span.js'
import { inlineSpans } from './inline-spans.js'
import { wrapSpans } from './wrap-spans.js'

const GAP = 2
const NARROWEST = 4

/** A table that fits: columns are narrowed and their cells wrapped; where that is hopeless, each row is a list of its cells. */
export function renderTable({ header, rows }: Tokens.Table, width: number): Line[] {
  const titles = header.map(({ tokens }) => inlineSpans(tokens, ['bold']))
  const cells = rows.map((row) => row.map(({ tokens }) => inlineSpans(tokens)))
  const widths = columnWidths([titles, ...cells], width)
  if (!widths) return cells.flatMap((row, index) => [...(index > 0 ? [[]] : []), ...asList(titles, row, width)])
  const rule = span(widths.map((columns) => '─'.repeat(columns)).join(' '.repeat(GAP)), 'dim')
  return [...renderRow(titles, widths), [rule], ...cells.flatMap((row) => renderRow(row, widths))]
}

type Cells = readonly (readonly Span[])[]

/** Takes from the widest until all fit. */
function columnWidths(rows: readonly Cells[], width: number): number[] | undefined {
  const count = rows[0]?.length ?? 0
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(1, ...rows.map((row) => lineWidth(row[column] ?? []))),
  )
  const room = width - GAP * (count - 1)
  if (room < Math.min(NARROWEST * count, sum(widths))) return undefined
  while (sum(widths) > room) {
    const widest = widths.indexOf(Math.max(...widths))
    widths[widest] = (widths[widest] ?? 1) - 1
  }
  return widths
}

function renderRow(row: Cells, widths: readonly number[]): Line[] {
  const columns = widths.map((width, column) => wrapSpans(row[column] ?? [], width))
  const height = Math.max(1, ...columns.map(({ length }) => length))
  return Array.from({ length: height }, (_, at) =>
    columns.flatMap((lines, column) => {
      const line = lines[at] ?? []
      const isLast = column === columns.length - 1
      const padding = isLast ? 0 : (widths[column] ?? 0) - lineWidth(line) + GAP
      return [...line, ...(padding > 0 ? [span(' '.repeat(padding))] : [])]
    }),
  )
}

function asList(titles: Cells, row: Cells, width: number): Line[] {
  return row.flatMap((cell, column) => wrapSpans([...(titles[column] ?? []), span(': '), ...cell], width))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
