import stringWidth from 'string-width'

const SEGMENTER = new Intl.Segmenter()

/** The beginning of a text on one line that fits into so many columns; `…` says that there was more. */
export function cutText(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (stringWidth(line) <= width) return line
  let cut = ''
  let used = 0
  for (const { segment } of SEGMENTER.segment(line)) {
    used += stringWidth(segment)
    if (used > width - 1) break
    cut += segment
  }
  return `${cut.trimEnd()}…`
}
