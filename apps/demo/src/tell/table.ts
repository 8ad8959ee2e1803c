import type { Paint } from './paint.js'
import { wrap } from './wrap.js'

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
