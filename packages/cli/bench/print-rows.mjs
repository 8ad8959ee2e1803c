/**
 * One row of the table: what was measured, and the most it may be, where that matters.
 * @typedef {{ name: string, ratio: number, limit?: number, detail: string }} Row
 */

/** Prints a table, and gives 1 where a limit is broken. @param {readonly Row[]} rows */
export function printRows(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length))
  process.stdout.write(`${'measured'.padEnd(width)}  ratio  limit\n`)
  for (const row of rows) {
    const { name, ratio, limit = '', detail } = row
    const verdict = isOver(row) ? 'over' : limit === '' ? '    ' : 'ok  '
    process.stdout.write(
      `${name.padEnd(width)}  ${ratio.toFixed(2).padStart(5)}  ${String(limit).padStart(5)}  ${verdict}  ${detail}\n`,
    )
  }
  return rows.some(isOver) ? 1 : 0
}

/** @param {Row} row */
function isOver({ ratio, limit = Number.POSITIVE_INFINITY }) {
  return ratio > limit
}
