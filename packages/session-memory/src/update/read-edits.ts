import type { NoteEdit } from '../notes/note-edit.js'

const WAYS = ['replace', 'append', 'change'] as const

/** The edits of a call; throws with words for the model where one can not be used. */
export function readEdits(input: unknown, sections: readonly string[]): readonly NoteEdit[] {
  const { edits } = Object(input) as { readonly edits?: unknown }
  if (!Array.isArray(edits)) throw new Error('edits has to be a list.')
  return edits.map((edit) => readEdit(edit, sections))
}

function readEdit(given: unknown, sections: readonly string[]): NoteEdit {
  const { section, how, text, old } = Object(given) as Record<string, unknown>
  const name = sections.find((each) => each.toLowerCase() === String(section).trim().toLowerCase())
  if (name === undefined) throw new Error(`There is no section '${section}'. Known: ${sections.join(', ')}.`)
  const way = WAYS.find((each) => each === how)
  if (way === undefined) throw new Error(`how has to be one of ${WAYS.join(', ')}.`)
  if (typeof text !== 'string') throw new Error('text has to be a text.')
  if (way === 'change' && (typeof old !== 'string' || old === ''))
    throw new Error("'change' needs the old words in old.")
  return { section: name, how: way, text, ...(typeof old === 'string' && { old }) }
}
