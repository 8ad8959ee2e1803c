const SLIPS = 2

/** The one of some words that was probably meant, if one is near enough. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  const [nearest] = words
    .map((each) => ({ each, slips: distance(word, each) }))
    .filter(({ each, slips }) => slips <= Math.min(SLIPS, each.length - 1))
    .sort((a, b) => a.slips - b.slips)
  return nearest?.each
}

/** Letters to be changed, added or left out. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [column, other] of [...to].entries()) {
      const change = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
