import { diffArrays } from 'diff'

/** Texts that differ in more lines than this have little in common, and to compare them would take minutes. */
const MOST_CHANGES = 2_000

export type LineEnd = '\n' | '\r\n'

/** The text with every line end as `\n`. */
export function toLf(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
}

/** The line end that most lines of a text have. */
export function commonEnd(text: string): LineEnd {
  const { wide, all } = count(text)
  return wide * 2 > all ? '\r\n' : '\n'
}

/**
 * A new text for an old one: lines that are in both keep their ends, the others get `common`. `old` has its ends as
 * they are on disk, `text` has `\n`.
 */
export function withEnds(old: string, text: string, common: LineEnd): string {
  const { wide, all } = count(old)
  if (wide === 0 && common === '\n') return text
  if (wide === all && common === '\r\n') return text.replaceAll('\n', '\r\n')
  const before = toLf(old).split('\n')
  const ends = old.match(/\r?\n/g) ?? []
  const after = text.split('\n')
  const kept = keptLines(before, after)
  return after.map((line, index) => line + endOf(index)).join('')

  function endOf(index: number): string {
    if (index === after.length - 1) return ''
    return ends[kept.get(index) ?? -1] ?? common
  }
}

/** For the lines of a new text that were in the old one: where. None where the two differ too much. */
function keptLines(before: string[], after: string[]): ReadonlyMap<number, number> {
  const kept = new Map<number, number>()
  const [from, to] = [{ line: 0 }, { line: 0 }]
  for (const { added, removed, count: lines } of diffArrays(before, after, { maxEditLength: MOST_CHANGES }) ?? []) {
    if (!added && !removed) for (let line = 0; line < lines; line++) kept.set(to.line + line, from.line + line)
    if (!added) from.line += lines
    if (!removed) to.line += lines
  }
  return kept
}

function count(text: string): { readonly wide: number; readonly all: number } {
  let [wide, all] = [0, 0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all += 1
    if (text[at - 1] === '\r') wide += 1
  }
  return { wide, all }
}
