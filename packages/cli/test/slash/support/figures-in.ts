/** A table of a command as figures: by the name of the row, then by the title of the column. */
export function figuresIn(text: string, title: string): ReadonlyMap<string, Readonly<Record<string, number>>> {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`${title} `))
  const end = lines.findIndex((line, index) => index > start && line === '')
  const [head = '', ...rows] = lines.slice(start, end < 0 ? undefined : end)
  const titles = cellsOf(head)
  return new Map(
    rows.map((row) => {
      const [name = '', ...cells] = cellsOf(row)
      return [name, Object.fromEntries(cells.map((cell, index) => [titles[index + 1] ?? '', numberIn(cell)]))]
    }),
  )
}

function cellsOf(line: string): string[] {
  return line.trim().split(/\s{2,}/)
}

function numberIn(cell: string): number {
  return Number(cell.replace(/[$,%]/g, ''))
}
