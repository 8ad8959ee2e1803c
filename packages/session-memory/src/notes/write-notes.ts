import type { Section } from '../template/read-template.js'
import type { Notes } from './notes.js'

/** Notes as text, with every heading and hint of the template in its place, whatever became of them. */
export function writeNotes(notes: Notes, sections: readonly Section[]): string {
  return sections
    .map(({ name, hint }) => [`# ${name}`, hint, notes.get(name) ?? ''].filter((part) => part !== '').join('\n\n'))
    .join('\n\n')
}
