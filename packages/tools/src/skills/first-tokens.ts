import { estimateText } from '@nacre/core'

/** A text up to so many tokens, cut at the end of a line, with a last line that says what is missing. */
export function firstTokens(text: string, tokens: number): string {
  if (estimateText(text) <= tokens) return text
  const lines = text.split('\n')
  let [fits, tooMany] = [0, lines.length]
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (estimateText(worded(lines, middle)) <= tokens) fits = middle
    else tooMany = middle
  }
  return worded(lines, fits)
}

function worded(lines: readonly string[], count: number): string {
  return [...lines.slice(0, count), `(${lines.length - count} more lines were left out)`].join('\n')
}
