import type { Paint } from './paint.js'

/** Columns as wide as they need to be; all but the first, and the last if it holds words, stand to the right. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
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
