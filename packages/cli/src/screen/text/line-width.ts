import stringWidth from 'string-width'
import type { Line } from './span.js'

/** Columns that a line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + stringWidth(text), 0)
}
