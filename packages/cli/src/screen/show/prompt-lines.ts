import { cleanText } from '../../text/clean-text.js'
import { type Line, span } from '../text/span.js'
import { wrapLine } from '../text/wrap-line.js'

/** What the person said, as it stays on the screen. */
export function promptLines(text: string, width: number): Line[] {
  const lines = cleanText(text)
    .split('\n')
    .flatMap((line) => wrapLine([span(line, 'bold')], Math.max(4, width - 3)))
  return [[], ...lines.map((line, index) => [index === 0 ? span('❯ ', 'cyan') : span('  '), ...line])]
}
