/** A list that is shown in parts. */
export interface Page {
  /** What one entry is called, and more of them. */
  readonly unit: 'file' | 'line'
  readonly offset: number
  readonly limit: number
  readonly maxChars: number
  /** Where all were counted. */
  readonly total: number | undefined
}

export interface PageEntry {
  readonly text: string
  /** Stands above the first entry of a group. */
  readonly heading?: string
}

// Room for the words below the list.
const FOOTER_CHARS = 200

/** The entries of one page, with a line below that says what is left and how to get it. */
export function resultPage(entries: Iterable<PageEntry>, page: Page): string {
  const { offset, limit } = page
  const lines: string[] = []
  let seen = 0
  let taken = 0
  let room = page.maxChars - FOOTER_CHARS
  let heading: string | undefined
  for (const entry of entries) {
    seen += 1
    if (seen <= offset) continue
    const added =
      entry.heading !== heading && entry.heading !== undefined ? [...(lines.length > 0 ? [''] : []), entry.heading] : []
    const size = [...added, entry.text].reduce((sum, line) => sum + line.length + 1, 0)
    if (taken === limit || (size > room && taken > 0)) return [...lines, '', footer(page, taken)].join('\n')
    lines.push(...added, entry.text)
    heading = entry.heading
    room -= size
    taken += 1
  }
  if (taken === 0) return `There are only ${seen} ${page.unit}s: nothing from offset ${offset} on.`
  return offset > 0 ? [...lines, '', footer(page, taken)].join('\n') : lines.join('\n')
}

function footer({ unit, offset, total }: Page, taken: number): string {
  const range = `${unit === 'file' ? 'Files' : 'Lines'} ${offset + 1}-${offset + taken}`
  const end = offset + taken
  if (total !== undefined && end >= total) return `[${range} of ${total}.]`
  const rest = total === undefined ? 'there are more' : `${total - end} more`
  return `[${range}${total === undefined ? '' : ` of ${total}`}; ${rest}. Narrow the search, or go on with offset ${end}.]`
}
