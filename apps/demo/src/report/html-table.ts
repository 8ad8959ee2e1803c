import { escapeHtml } from './escape-html.js'

const LONG = 60

/** A table whose last column holds words; on a narrow page they stand below the figures of their row if there are many. */
export function htmlTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const isLong = rows.some((row) => (row.at(-1)?.length ?? 0) > LONG)
  const line = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell, column) => `<${tag}${column === cells.length - 1 ? ' class="words"' : ''}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  return `<div class="wide"><table${isLong ? ` class="long" style="--figures: ${headings.length - 2}"` : ''}><thead>${line(headings, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('\n')}</tbody></table></div>`
}
