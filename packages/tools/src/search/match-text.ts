import type { GrepQuestion } from './grep-question.js'

/** Lines of a text that match, by their numbers from 0, and how often the pattern was found. */
interface Matches {
  readonly lines: readonly number[]
  readonly count: number
}

/** What Grep has to say of one text, as ripgrep writes it, or nothing where there is no match. */
export function matchText(text: string, expression: RegExp, question: GrepQuestion): string | undefined {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const isFirstEnough = question.mode === 'files_with_matches'
  const matches = question.isMultiline
    ? overLines(text, expression, isFirstEnough)
    : byLine(lines, expression, isFirstEnough)
  if (matches.count === 0) return undefined
  if (question.mode === 'content') return written(lines, matches.lines, question)
  return isFirstEnough ? '' : String(matches.count)
}

function byLine(lines: readonly string[], expression: RegExp, isFirstEnough: boolean): Matches {
  const found: number[] = []
  for (const [number, line] of lines.entries()) {
    expression.lastIndex = 0
    // A carriage return belongs to the line end.
    if (!expression.test(line.endsWith('\r') ? line.slice(0, -1) : line)) continue
    found.push(number)
    if (isFirstEnough) break
  }
  return { lines: found, count: found.length }
}

function overLines(text: string, expression: RegExp, isFirstEnough: boolean): Matches {
  const found = new Set<number>()
  let count = 0
  let line = 0
  let lineStart = 0
  let last = -1
  for (const { 0: match, index } of text.matchAll(expression)) {
    // Behind the last line end, and in an empty text, there is no line to match.
    if (index === text.length && (text === '' || text.endsWith('\n'))) break
    // Nothing, right behind a match, is no match of its own.
    if (match === '' && index === last) continue
    last = index + match.length
    for (let end = text.indexOf('\n', lineStart); end !== -1 && end < index; end = text.indexOf('\n', lineStart)) {
      line += 1
      lineStart = end + 1
    }
    count += 1
    const inside = match.replace(/\n$/, '').split('\n').length
    for (let at = 0; at < inside; at++) found.add(line + at)
    if (isFirstEnough) break
  }
  return { lines: [...found], count }
}

function written(lines: readonly string[], matching: readonly number[], { before, after }: GrepQuestion): string {
  const isMatch = new Set(matching)
  const shown = new Set<number>()
  for (const number of matching) {
    const last = Math.min(lines.length - 1, number + after)
    for (let at = Math.max(0, number - before); at <= last; at++) shown.add(at)
  }
  let previous: number | undefined
  const hasGaps = before > 0 || after > 0
  const body = [...shown].map((number) => {
    const gap = hasGaps && previous !== undefined && number > previous + 1 ? '--\n' : ''
    previous = number
    return `${gap}${number + 1}${isMatch.has(number) ? ':' : '-'}${lines[number]}\n`
  })
  return body.join('')
}
