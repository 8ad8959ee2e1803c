import { columnsOf } from '../../text/columns-of.js'
import type { Line } from './span.js'

/** Columns that a line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + columnsOf(text), 0)
}
