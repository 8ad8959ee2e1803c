import { escapeHtml } from './escape-html.js'

/** A table whose last column holds words. */
export function htmlTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell, column) => `<${tag}${column === cells.length - 1 ? ' class="words"' : ''}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  return `<div class="wide"><table><thead>${line(headings, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('\n')}</tbody></table></div>`
}
