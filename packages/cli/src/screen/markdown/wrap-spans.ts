import type { Line, Span } from '../text/span.js'
import { wrapLine } from '../text/wrap-line.js'

/** Spans with line breaks in them as lines that fit. */
export function wrapSpans(spans: readonly Span[], width: number): Line[] {
  const lines: Span[][] = [[]]
  for (const { text, styles } of spans) {
    text.split('\n').forEach((piece, index) => {
      if (index > 0) lines.push([])
      if (piece !== '') lines.at(-1)?.push(styles ? { text: piece, styles } : { text: piece })
    })
  }
  return lines.flatMap((line) => wrapLine(line, width))
}
