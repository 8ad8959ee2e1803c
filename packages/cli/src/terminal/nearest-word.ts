/** The known word that is fewest keystrokes away, if that is few enough to be a slip. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase()
  const limit = Math.max(2, Math.floor(word.length / 3))
  let best: { readonly word: string; readonly slips: number } | undefined
  for (const candidate of known) {
    const slips = slipsBetween(wanted, candidate.toLowerCase())
    if (slips <= limit && slips < (best?.slips ?? Number.POSITIVE_INFINITY)) best = { word: candidate, slips }
  }
  return best?.word
}

/** Letters that have to be put in, taken out or changed; two neighbours in the wrong order are one slip. */
function slipsBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)]
  for (let line = 1; line <= from.length; line++) {
    const row = [line]
    for (let column = 1; column <= to.length; column++) {
      const at = (lines: number, columns: number) => rows[line - lines]?.[column - columns] ?? Number.POSITIVE_INFINITY
      const isSame = from[line - 1] === to[column - 1]
      const isSwapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1]
      const left = row[column - 1] ?? Number.POSITIVE_INFINITY
      const changed = Math.min(at(1, 0) + 1, left + 1, at(1, 1) + (isSame ? 0 : 1))
      row.push(isSwapped ? Math.min(changed, at(2, 2) + 1) : changed)
    }
    rows.push(row)
  }
  return rows[from.length]?.[to.length] ?? Number.POSITIVE_INFINITY
}
