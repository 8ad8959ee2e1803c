import stringWidth from 'string-width'

/** Fills a text up to so many columns; wide characters count as what they take. */
export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return align === 'left' ? text + space : space + text
}
