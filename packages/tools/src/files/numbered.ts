const WIDTH = 6
const MOST_CHARACTERS_OF_LINE = 2_000

/** Lines with their numbers before them; very long ones are cut, and say so. */
export function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(first + index).padStart(WIDTH)}\t${shortened(line)}`).join('\n')
}

function shortened(line: string): string {
  if (line.length <= MOST_CHARACTERS_OF_LINE) return line
  const isSplit = /[\uD800-\uDBFF]/.test(line[MOST_CHARACTERS_OF_LINE - 1] ?? '')
  const head = line.slice(0, MOST_CHARACTERS_OF_LINE - (isSplit ? 1 : 0))
  return `${head} … [the line goes on: ${line.length} characters in all]`
}
