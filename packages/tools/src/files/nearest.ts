import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenFolder } from './file-access.js'
import { numbered } from './text-file.js'

/** From here on two texts are taken for the same one, written in another way. */
const ALIKE = 0.5
const MOST_NAMES = 3

/** For a file that is not there: those in its folder that may have been meant. */
export async function nearNames(folder: OpenFolder, name: string): Promise<string> {
  const names = await readdir(folder.at('.')).catch(() => [])
  const near = names
    .map((other) => ({ other, alike: Math.max(similarity(other, name), similarity(stem(other), stem(name))) }))
    .filter(({ alike }) => alike >= ALIKE)
    .sort((a, b) => b.alike - a.alike || (a.other < b.other ? -1 : 1))
    .slice(0, MOST_NAMES)
  if (near.length === 0) return ''
  return ` Is it one of these? ${near.map(({ other }) => join(folder.path, other)).join(', ')}`
}

function stem(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '')
}

const AROUND = 2
const MOST_LINES = 20_000
const LINE_NUMBERS = /^ *\d+\t/

/** For a text that is not in a file: what is in it that comes near, and why it may not have been found. */
export function nearestLines(text: string, missing: string): string {
  const wanted = missing.split('\n')
  const filled = wanted.filter((line) => line.trim() !== '')
  if (filled.length > 0 && filled.every((line) => LINE_NUMBERS.test(line))) {
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

const LONGEST = 400

/** How alike two texts are, from 0 to 1, by the pairs of letters that they share. */
function similarity(one: string, other: string): number {
  const [a, b] = [pairs(one), pairs(other)]
  const size = total(a) + total(b)
  if (size === 0) return one === other ? 1 : 0
  let shared = 0
  for (const [pair, count] of a) shared += Math.min(count, b.get(pair) ?? 0)
  return (2 * shared) / size
}

function pairs(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const lower = text.slice(0, LONGEST).toLowerCase()
  for (let at = 0; at + 1 < lower.length; at++) {
    const pair = lower.slice(at, at + 2)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}
