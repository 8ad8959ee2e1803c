import type { Point } from '../play/told.js'
import { count } from './figures.js'

/** A line of a chart, by a mark of its own, so that it needs no colour. */
export interface Series {
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
