import { cleanText } from '../../text/clean-text.js'
import { type Line, type Style, span } from './span.js'
import { wrapLine } from './wrap-line.js'

/** A text of any origin as lines that fit. */
export function plainLines(text: string, width: number, ...styles: Style[]): Line[] {
  return cleanText(text)
    .split('\n')
    .flatMap((line) => wrapLine([span(line, ...styles)], width))
}
