import { styleText } from 'node:util'
import { count } from '../outcome/figures.js'
import type { Point } from '../outcome/outcome.js'

/** Colours for a terminal, or none. */
export interface Paint {
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
}

export function painter(hasColour: boolean): Paint {
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    hasColour ? styleText(format, text, { validateStream: false }) : text
  return { bold: style('bold'), dim: style('dim'), good: style('cyan'), bad: style('red') }
}

/** Breaks a text into lines of at most `width`; those after the first begin with `indent`, which comes on top. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join(`\n${indent}`)
}

/**
 * Columns as wide as they need to be; all but the first, and the last if it holds words, stand to the right. Where they
 * are too wide for the terminal, each row becomes a few lines of their own.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
  width: number,
): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  if (widths.reduce((sum, each) => sum + each + 2, -2) > width) return stacked(headings, rows, paint, width)
  const isWords = rows.some((row) => /[a-z]{4}/.test(row.at(-1) ?? ''))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const isLeft = column === 0 || (column === cells.length - 1 && isWords)
        return isLeft ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
      })
      .join('  ')
      .trimEnd()
  return [paint.bold(line(headings)), ...rows.map(line)].join('\n')
}

function stacked(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
  width: number,
): string {
  return rows
    .map(([name = '', ...cells]) => {
      const facts = cells.flatMap((cell, column) => (cell === '' ? [] : [`${headings[column + 1]} ${cell}`]))
      return `${paint.bold(name)}\n  ${wrap(facts.join(', '), width - 2, '  ')}`
    })
    .join('\n')
}

/** A line of a chart, by a mark of its own, so that it needs no colour. */
interface Series {
  readonly mark: string
  readonly name: string
  readonly points: readonly Point[]
}

const HEIGHT = 14
const LIMIT: string = '╌'

/** Context over requests, drawn with characters, over a line at the limit. Later series are drawn over earlier ones. */
export function drawChart(series: readonly Series[], width: number, limit: number): string {
  const all = series.flatMap(({ points }) => points)
  const top = Math.max(1, limit, ...all.map(({ tokens }) => tokens))
  const last = Math.max(1, ...all.map(({ request }) => request))
  const labels = Array.from({ length: HEIGHT }, (_, row) =>
    row % 4 === 0 ? count((top * (HEIGHT - 1 - row)) / (HEIGHT - 1)) : '',
  )
  const margin = Math.max(...labels.map((label) => label.length))
  const columns = Math.max(10, Math.min(width - margin - 3, last))
  const rowOf = (tokens: number) => HEIGHT - 1 - Math.round((tokens / top) * (HEIGHT - 1))
  const grid = labels.map((_, row) => Array.from({ length: columns }, () => (row === rowOf(limit) ? LIMIT : ' ')))
  for (const { mark, points } of series) {
    for (const { request, tokens } of points) {
      const column = Math.round(((request - 1) / Math.max(1, last - 1)) * (columns - 1))
      const line = grid[rowOf(tokens)]
      if (line) line[column] = mark
    }
  }
  return [
    ...grid.map((line, row) => `${labels[row]?.padStart(margin)} ┤${line.join('').trimEnd()}`),
    `${' '.repeat(margin)} └${'─'.repeat(columns)}`,
    `${' '.repeat(margin)}  request 1 to ${last}`,
    ...series.map(({ mark, name }) => `  ${mark} ${name}`),
    `  ${LIMIT} the window of ${count(limit)}`,
  ].join('\n')
}
