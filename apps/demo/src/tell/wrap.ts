/** Breaks a text into lines of at most `width`; those after the first begin with `indent`, which comes on top. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join(`\n${indent}`)
}
