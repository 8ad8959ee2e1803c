import { columnsOf } from '../../text/columns-of.js'

/** Fills a text up to so many columns; wide characters count as what they take. */
export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - columnsOf(text)))
  return align === 'left' ? text + space : space + text
}
