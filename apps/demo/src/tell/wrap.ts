/** Breaks a text into lines of at most `width`; those after the first begin with `indent`. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line)
      line = indent
    }
    line += line === '' || line === indent ? word : ` ${word}`
  }
  return [...lines, line].join('\n')
}
