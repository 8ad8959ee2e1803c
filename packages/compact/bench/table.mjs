/**
 * Lines of a table whose columns are as wide as their widest cell; the first stands left, the others right.
 * @param {readonly (readonly string[])[]} rows
 */
export function table(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column] ?? 0))).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/**
 * What has to hold: a ratio and the most it may be. `least` turns it round.
 * @typedef {{ name: string, value: number, limit: number, least?: boolean, detail?: string }} Limit
 */

/** @param {Limit} limit */
export function holds({ value, limit, least }) {
  return least ? value >= limit : value <= limit
}

/** A table of limits, each with whether it holds. @param {readonly Limit[]} limits */
export function limitsTable(limits) {
  const rows = limits.map((each) => {
    const { name, value, limit, least, detail = '' } = each
    return [name, format(value), `${least ? '≥' : '≤'} ${limit}`, holds(each) ? 'ok' : 'over', detail]
  })
  const [header, ...lines] = table([['must hold', 'is', 'limit', '', ''], ...rows.map((row) => row.slice(0, 4))]).split(
    '\n',
  )
  return [header, ...lines.map((line, index) => `${line}  ${rows[index]?.[4] ?? ''}`.trimEnd())].join('\n')
}

/** @param {number} value */
function format(value) {
  return Number.isInteger(value) ? String(value) : value.toFixed(3)
}
