import type { Line, Style } from './span.js'

const CODES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
}

/** A line as it is written to the terminal. */
export function paintLine(line: Line, hasColour: boolean): string {
  return line.map(({ text, styles }) => (hasColour && styles ? styled(text, styles) : text)).join('')
}

function styled(text: string, styles: readonly Style[]): string {
  return styles.reduce((inner, style) => {
    const [on, off] = CODES[style]
    return `\u001b[${on}m${inner}\u001b[${off}m`
  }, text)
}
