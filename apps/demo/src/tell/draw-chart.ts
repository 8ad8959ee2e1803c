import type { Point } from '../play/told.js'
import { count } from './figures.js'

/** A line of a chart, by a mark of its own, so that it needs no colour. */
export interface Series {
  readonly mark: string
  readonly name: string
  readonly points: readonly Point[]
}

const HEIGHT = 14

/** Context over requests, drawn with characters. Later series are drawn over earlier ones. */
export function drawChart(series: readonly Series[], width: number): string {
  const all = series.flatMap(({ points }) => points)
  const top = Math.max(1, ...all.map(({ tokens }) => tokens))
  const last = Math.max(1, ...all.map(({ request }) => request))
  const labels = Array.from({ length: HEIGHT }, (_, row) =>
    row % 4 === 0 ? count((top * (HEIGHT - 1 - row)) / (HEIGHT - 1)) : '',
  )
  const margin = Math.max(...labels.map((label) => label.length))
  const columns = Math.max(10, Math.min(width - margin - 3, last))
  const grid = labels.map(() => Array.from({ length: columns }, () => ' '))
  for (const { mark, points } of series) {
    for (const { request, tokens } of points) {
      const column = Math.round(((request - 1) / Math.max(1, last - 1)) * (columns - 1))
      const row = HEIGHT - 1 - Math.round((tokens / top) * (HEIGHT - 1))
      const line = grid[row]
      if (line) line[column] = mark
    }
  }
  return [
    ...grid.map((line, row) => `${labels[row]?.padStart(margin)} ┤${line.join('').trimEnd()}`),
    `${' '.repeat(margin)} └${'─'.repeat(columns)}`,
    `${' '.repeat(margin)}  request 1 to ${last}`,
    ...series.map(({ mark, name }) => `${' '.repeat(margin)}  ${mark} ${name}`),
  ].join('\n')
}
