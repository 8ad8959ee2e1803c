import type { Accounting, ViewTokens } from '@nacre/core'
import { type Colour, paint } from '../text/paint.js'
import { classMark } from './class-marks.js'

const ROWS = 5
const WIDEST = 40

export interface GridOptions {
  readonly accounting: Accounting
  readonly tokens: ViewTokens
  readonly width: number
  readonly hasColour: boolean
}

/** The window as a grid: what fills it by class, what is free, and what is kept free above the threshold. */
export function contextGrid({ accounting, tokens, width, hasColour }: GridOptions): string[] {
  const columns = Math.max(1, Math.min(WIDEST, width))
  const cells = columns * ROWS
  const { window, threshold } = tokens
  const scale = cells / Math.max(window, accounting.total, 1)
  const filled = ends(accounting.classes.map((each) => each.tokens * scale))
  const reserve = Math.ceil(threshold * scale)
  const cell = (place: number): readonly [string, Colour] => {
    const index = filled.findIndex((end) => place < end)
    if (index < 0) return place < reserve ? ['·', 'dim'] : ['▒', 'dim']
    const { symbol, colour } = classMark(index, hasColour)
    return [symbol, colour]
  }
  return Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: columns }, (_, column) => cell(row * columns + column))
      .map(([symbol, colour]) => paint(symbol, colour, hasColour))
      .join(''),
  )
}

/** Where each class ends, in whole cells; the first always has one, so that a small context is seen at all. */
function ends(sizes: readonly number[]): number[] {
  let sum = 0
  return sizes.map((size) => {
    sum += size
    return Math.max(1, Math.round(sum))
  })
}
