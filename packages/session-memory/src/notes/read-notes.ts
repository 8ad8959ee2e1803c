import { headingOf, isItalic, type Section } from '../template/read-template.js'
import type { Notes } from './notes.js'

/**
 * The texts of notes as they stand in a file. Nothing that somebody wrote is lost: headings that the template does not
 * know belong to the text above them, and what stands before the first section goes to the last one.
 */
export function readNotes(text: string, sections: readonly Section[]): Notes {
  const last = sections.at(-1)?.name ?? ''
  const byName = new Map(sections.map((section) => [section.name.toLowerCase(), section]))
  const found = new Map<string, string[]>()
  let current: string | undefined
  for (const line of text.split(/\r?\n/)) {
    const section = byName.get(headingOf(line)?.toLowerCase() ?? '')
    if (section) current = section.name
    const name = current ?? last
    const lines = found.get(name) ?? []
    found.set(name, lines)
    if (!section) lines.push(line)
  }
  const notes = new Map<string, string>()
  for (const { name, hint } of sections) {
    const written = withoutHint(found.get(name) ?? [], hint)
    if (written !== '') notes.set(name, written)
  }
  return notes
}

/** The text of a section without its hint, also where somebody has changed a few words of that. */
export function withoutHint(lines: readonly string[], hint: string): string {
  const start = lines.findIndex((line) => line.trim() !== '')
  const first = lines[start]
  const isHint = first !== undefined && isItalic(first) && resembles(first, hint)
  return lines
    .slice(isHint ? start + 1 : 0)
    .join('\n')
    .trim()
}

function resembles(line: string, hint: string): boolean {
  const known = new Set(wordsOf(hint))
  const words = wordsOf(line)
  const shared = words.filter((word) => known.has(word)).length
  return shared > 0 && shared * 2 >= Math.min(words.length, known.size)
}

function wordsOf(line: string): string[] {
  return line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
