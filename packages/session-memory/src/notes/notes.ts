import { estimateText, NacreError } from '@nacre/core'

/** A section of the notes. The model keeps its name and its hint; only the text below them is its own. */
export interface Section {
  readonly name: string
  /** The italic line below the heading; empty where the template has none. */
  readonly hint: string
}

/** The texts of the sections by their names; a section without text is not in it. */
export type Notes = ReadonlyMap<string, string>

export const NO_NOTES: Notes = new Map()

const HEADING = /^# +(.+?) *$/
const ITALIC = /^(?:_.+_|\*[^*].*\*)$/

/** The sections of a template; throws where it has none, or two of one name. */
export function readTemplate(template: string): readonly Section[] {
  const sections: { name: string; hint: string }[] = []
  for (const line of template.split(/\r?\n/)) {
    const name = headingOf(line)
    const last = sections.at(-1)
    if (name !== undefined) sections.push({ name, hint: '' })
    else if (last && last.hint === '' && isItalic(line)) last.hint = line.trim()
  }
  const names = new Set(sections.map(({ name }) => name.toLowerCase()))
  if (names.size === 0 || names.size < sections.length) {
    const problem = names.size === 0 ? "needs headings such as '# Current State'" : 'has two sections of one name'
    throw new NacreError('INVALID_SETTINGS', `The template of the notes ${problem}.`)
  }
  return sections
}

/** The name in a heading of the first level. */
function headingOf(line: string): string | undefined {
  return HEADING.exec(line)?.[1]
}

function isItalic(line: string): boolean {
  return ITALIC.test(line.trim())
}

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
function withoutHint(lines: readonly string[], hint: string): string {
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

/** Notes as text, with every heading and hint of the template in its place, whatever became of them. */
export function writeNotes(notes: Notes, sections: readonly Section[]): string {
  return sections
    .map(({ name, hint }) => [`# ${name}`, hint, notes.get(name) ?? ''].filter((part) => part !== '').join('\n\n'))
    .join('\n\n')
}

/** What the model wants changed in one section. */
export interface NoteEdit {
  readonly section: string
  readonly how: 'replace' | 'append' | 'change'
  readonly text: string
  /** For `change`: the words that `text` stands for from now on. */
  readonly old?: string
}

/** Notes with edits in them. Words to change that are not there any more leave the new ones at the end: nothing is lost. */
export function applyEdits(notes: Notes, edits: readonly NoteEdit[], sections: readonly Section[]): Notes {
  const changed = new Map(notes)
  for (const edit of edits) {
    const section = sections.find(({ name }) => name === edit.section)
    if (!section) continue
    const text = edited(changed.get(section.name) ?? '', { ...edit, text: ownText(edit.text, section, sections) })
    if (text === '') changed.delete(section.name)
    else changed.set(section.name, text)
  }
  return changed
}

function edited(before: string, { how, text, old = '' }: NoteEdit): string {
  if (how === 'replace') return text
  const at = how === 'change' && old !== '' ? before.indexOf(old) : -1
  if (at !== -1) return `${before.slice(0, at)}${text}${before.slice(at + old.length)}`.trim()
  return before.includes(text) ? before : [before, text].filter((part) => part !== '').join('\n')
}

/** What the model gave for a section without the heading and the hint that it was to leave alone, and no other's heading. */
function ownText(given: string, { name, hint }: Section, sections: readonly Section[]): string {
  const isHeading = (line: string, of: string) => headingOf(line)?.toLowerCase() === of.toLowerCase()
  const lines = given.trim().split(/\r?\n/)
  const rest = isHeading(lines[0] ?? '', name) ? lines.slice(1) : lines
  const demoted = rest.map((line) => (sections.some((each) => isHeading(line, each.name)) ? `#${line}` : line))
  return withoutHint(demoted, hint)
}

/** What a section and all of them together may have, for a full window. */
const SECTION_TOKENS = 2_000
const TOTAL_TOKENS = 12_000

/** What the notes hold more than they may, in tokens. */
export interface Oversize {
  readonly sections: readonly { readonly name: string; readonly tokens: number; readonly limit: number }[]
  /** Of all sections together, where that is too much. */
  readonly total?: { readonly tokens: number; readonly limit: number }
}

/** Which sections are too large, and by how much. */
export function oversizeOf(notes: Notes, sections: readonly Section[], scale: number): Oversize {
  const limit = Math.round(SECTION_TOKENS * scale)
  const sizes = writtenSections(notes, sections).map(({ name, text }) => ({
    name,
    tokens: Math.ceil(estimateText(text)),
    limit,
  }))
  const tokens = sizes.reduce((sum, size) => sum + size.tokens, 0)
  const most = Math.round(TOTAL_TOKENS * scale)
  const over = sizes.filter((size) => size.tokens > limit)
  return { sections: over, ...(tokens > most && { total: { tokens, limit: most } }) }
}

/** Notes that stand for a folded span: each section, and all of them, within their limits. A cut says where the rest is. */
export function cutSections(notes: Notes, sections: readonly Section[], scale: number, path: string): string {
  const written = writtenSections(notes, sections)
  const sizes = written.map(({ text }) => estimateText(text))
  const limit = sharedLimit(sizes, SECTION_TOKENS * scale, TOTAL_TOKENS * scale)
  return written
    .map(({ name, text }, index) => {
      const isCut = (sizes[index] ?? 0) > limit
      return `# ${name}\n${isCut ? `${cut(text, limit)}\n[cut here; the whole section is in ${path}]` : text}`
    })
    .join('\n\n')
}

/** The sections that have text, in the order of the template. */
function writtenSections(notes: Notes, sections: readonly Section[]): readonly (Section & { text: string })[] {
  return sections.flatMap((section) => {
    const text = notes.get(section.name)
    return text === undefined ? [] : [{ ...section, text }]
  })
}

/** The most that a section may have so that all together have no more than `total`: small ones leave room for large ones. */
function sharedLimit(sizes: readonly number[], most: number, total: number): number {
  const sorted = sizes.toSorted((a, b) => a - b)
  let left = total
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index)
    if (Math.min(size, most) > share) return share
    left -= Math.min(size, most)
  }
  return most
}

/** The first lines that fit; of one long line, the first characters. */
function cut(text: string, limit: number): string {
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (estimateText(text.slice(0, middle)) <= limit) low = middle
    else high = middle - 1
  }
  const line = text.lastIndexOf('\n', low)
  const end = line > low / 2 ? line : low
  // Half of a surrogate pair can be sent nowhere.
  const isHalf = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')
  return text.slice(0, isHalf ? end - 1 : end)
}

/** Ten sections, each with a line that says what goes there. */
export const DEFAULT_TEMPLATE = `# Session Title
_Five to ten words that tell this session from all others. No filler._

# Current State
_What is being worked on right now, what is not finished yet, and the very next steps._

# Task Specification
_What the user asked for, with every rule and correction that still holds. Decisions and their reasons._

# Files and Functions
_The files that matter, what is in them, and why they matter. Exact paths and names._

# Workflow
_Which commands are run in which order, and how to read what they print._

# Errors & Corrections
_What went wrong and how it was put right. What the user corrected. What was tried, failed, and is not to be tried again._

# Codebase and System Documentation
_The parts of the system and how they fit together._

# Learnings
_What has worked well, what has not, what to avoid. Nothing that stands in another section._

# Key Results
_Answers, tables and documents that the user asked for, word for word._

# Worklog
_Step by step, what was tried and done. One short line for each step._
`
