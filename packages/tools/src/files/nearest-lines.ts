import { numbered } from './numbered.js'
import { similarity } from './similarity.js'

const ALIKE = 0.5
const AROUND = 2
const MOST_LINES = 20_000
const NUMBERS = /^ *\d+\t/

/** For a text that is not in a file: what is in it that comes near, and why it may not have been found. */
export function nearestLines(text: string, missing: string): string {
  const wanted = missing.split('\n')
  const filled = wanted.filter((line) => line.trim() !== '')
  if (filled.length > 0 && filled.every((line) => NUMBERS.test(line))) {
    return ' It begins its lines with line numbers, which are not part of the file: leave them out.'
  }
  const key = longest(wanted)
  const lines = text.split('\n')
  const best = bestMatch(lines, (wanted[key] ?? '').trim())
  if (!best) return ' Read it again to see what it has now.'
  const start = Math.max(0, best.line - key)
  const isSame = wanted.every((line, index) => line.trim() === lines[start + index]?.trim())
  const why = isSame ? ' It differs in white space only.' : ''
  const from = Math.max(0, start - AROUND)
  const shown = lines.slice(from, start + Math.min(wanted.length, 20) + AROUND)
  return `${why} The nearest lines are:\n${numbered(shown, from + 1)}`
}

function longest(lines: readonly string[]): number {
  const lengths = lines.map((line) => line.trim().length)
  return lengths.indexOf(Math.max(...lengths))
}

function bestMatch(lines: readonly string[], wanted: string): { readonly line: number } | undefined {
  let best: { readonly line: number; readonly alike: number } | undefined
  for (const [line, text] of lines.slice(0, MOST_LINES).entries()) {
    const trimmed = text.trim()
    const alike = trimmed === wanted ? 1 : trimmed === '' ? 0 : similarity(trimmed, wanted)
    if (alike >= ALIKE && alike > (best?.alike ?? 0)) best = { line, alike }
    if (alike === 1) break
  }
  return best
}
