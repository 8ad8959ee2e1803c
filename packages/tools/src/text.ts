import { estimateText } from '@nacre/core'

/** The beginning of a text, not cut in the middle of a character of two units. */
export function firstChars(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}

/** The API takes no request with half of a pair in it. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/**
 * A text that can not close a tag of two words, such as `web-content`. Also with spaces, unseen characters and wide
 * brackets in it, which a model may read as the tag.
 */
export function withoutTag(text: string, first: string, second: string): string {
  const like = new RegExp(`[<\uff1c\ufe64](?=[\\s\\p{Cf}/]*${first}[\\s\\p{Cf}\\p{Pd}]*${second})`, 'giu')
  return text.replace(like, '&lt;')
}

/** How many line ends a text has. */
export function countBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** The head of a text, and how much of it that is. */
export interface Head {
  readonly lines: readonly string[]
  /** What is shown, and how to get at the others; empty where nothing is missing. */
  readonly marker: string
  /** The same for a receipt. */
  readonly cut?: string
}

/** What a text is cut with. */
interface HeadOptions {
  /** How to get at what is not shown, as a sentence. */
  readonly rest: string
  /** How many lines there are, where `lines` are only the first of them. */
  readonly total?: number
  /** A line as it is shown, by its number. */
  write?(line: string, number: number): string
}

/** As many of the first lines as find room in so many estimated tokens, with words that say what is missing. */
export function headOf(lines: readonly string[], tokens: number, options: HeadOptions): Head {
  const { rest, total = lines.length, write = (line) => line } = options
  const whole = linesWithin(lines, tokens, write)
  if (whole.length === total) return { lines: whole, marker: '' }
  const longest = estimateText(markerOf(total, total, rest))
  const shown = linesWithin(lines, tokens - longest, write)
  const cut = shown.length === 0 ? `none of ${total} lines` : `lines 1 to ${shown.length} of ${total}`
  return { lines: shown, marker: markerOf(shown.length, total, rest), cut }
}

function markerOf(shown: number, total: number, rest: string): string {
  const what = shown === 0 ? `None of its ${total} lines found room` : `Lines 1 to ${shown} of ${total}`
  return `(${what}. ${rest})`
}

function linesWithin(
  lines: readonly string[],
  tokens: number,
  write: (line: string, number: number) => string,
): string[] {
  const within: string[] = []
  let used = 0
  for (const line of lines) {
    const next = write(line, within.length + 1)
    used += estimateText(`${next}\n`)
    if (used > tokens) break
    within.push(next)
  }
  return within
}
