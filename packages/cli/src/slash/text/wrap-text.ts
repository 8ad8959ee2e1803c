import stringWidth from 'string-width'

const SEGMENTER = new Intl.Segmenter()

/** Lines of at most so many columns, broken between words where that is possible; what a line is set in by, its rest is too. */
export function wrapText(text: string, width: number, indent = 0): string[] {
  return text.split('\n').flatMap((line) => {
    const own = indent + (line.length - line.trimStart().length)
    const margin = Math.min(own, Math.floor(width / 2))
    const wrapped = wrapLine(line.trim(), Math.max(2, width - margin))
    return wrapped.map((part) => (part === '' ? '' : ' '.repeat(margin) + part))
  })
}

/** Spaces between words stay as they are: columns that others have lined up stay lined up where they fit. */
function wrapLine(line: string, width: number): string[] {
  if (stringWidth(line) <= width) return [line]
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(\s+)/)) {
    if (stringWidth(current + word) <= width) {
      current += word
      continue
    }
    if (current.trim() !== '') lines.push(current.trimEnd())
    current = ''
    if (word.trim() === '') continue
    const pieces = breakWord(word, width)
    lines.push(...pieces.slice(0, -1))
    current = pieces.at(-1) ?? ''
  }
  if (current.trim() !== '') lines.push(current.trimEnd())
  return lines
}

function breakWord(word: string, width: number): string[] {
  const pieces = ['']
  for (const { segment } of SEGMENTER.segment(word)) {
    const last = pieces.at(-1) as string
    if (stringWidth(last + segment) <= width || last === '') pieces[pieces.length - 1] = last + segment
    else pieces.push(segment)
  }
  return pieces
}
