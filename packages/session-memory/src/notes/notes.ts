import type { Section } from '../template/read-template.js'

/** The texts of the sections by their names; a section without text is not in it. */
export type Notes = ReadonlyMap<string, string>

export const NO_NOTES: Notes = new Map()

/** The sections that have text, in the order of the template. */
export function writtenSections(notes: Notes, sections: readonly Section[]): readonly (Section & { text: string })[] {
  return sections.flatMap((section) => {
    const text = notes.get(section.name)
    return text === undefined ? [] : [{ ...section, text }]
  })
}
