import { headingOf, type Section } from '../template/read-template.js'
import type { NoteEdit } from './note-edit.js'
import type { Notes } from './notes.js'
import { withoutHint } from './read-notes.js'

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
