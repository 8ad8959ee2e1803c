import { countLines } from './excerpt.js'

interface Piece {
  readonly offset: number
  readonly limit: number
  readonly search?: string
}

/** As much as one look may bring in. */
const CHARACTERS = 40_000

/** Lines of a text, from one on, or those with some words in them; says what is left. */
export function pieceOfText(text: string, { offset, limit, search }: Piece): string {
  const total = countLines(text)
  const lines = text.split('\n').slice(0, total)
  if (offset > total) return `There are ${total} lines only.`
  const found = lines.flatMap((line, index) =>
    isAsked(line, index, offset, search) ? [{ line, number: index + 1 }] : [],
  )
  const shown: string[] = []
  let used = 0
  for (const { line, number } of found.slice(0, limit)) {
    used += line.length + 1
    if (used > CHARACTERS) break
    shown.push(search === undefined ? line : `${number}: ${line}`)
  }
  return [...shown, note(found, shown.length, total, search)].join('\n')
}

function isAsked(line: string, index: number, offset: number, search: string | undefined): boolean {
  return index + 1 >= offset && (search === undefined || line.includes(search))
}

function note(
  found: readonly { readonly number: number }[],
  shown: number,
  total: number,
  search: string | undefined,
): string {
  const next = found[shown]?.number
  const what = search === undefined ? `of ${total} lines` : `of ${found.length} lines with these words`
  if (next === undefined) return `[${shown} ${what}; these are the last]`
  if (shown > 0) return `[${shown} ${what}; go on with offset ${next}]`
  return `[line ${next} is too long to be shown whole: read parts of it by startByte]`
}
