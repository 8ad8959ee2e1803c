import { type NotesPlace, notesPath } from './file/notes-path.js'
import { readNotesFile } from './file/read-notes-file.js'
import { readNotes } from './notes/read-notes.js'
import { DEFAULT_TEMPLATE } from './template/default-template.js'
import { readTemplate } from './template/read-template.js'

/** What a list of sessions can show of one. */
export interface SessionPreview {
  readonly title: string
  /** Where its work stands. */
  readonly preview: string
  /** How far the notes go. */
  readonly turn: number
}

/** Title and preview of a session by its notes: their first two sections. `undefined` where it has none. */
export async function sessionPreview(
  place: NotesPlace,
  template: string = DEFAULT_TEMPLATE,
): Promise<SessionPreview | undefined> {
  const file = await readNotesFile(notesPath(place)).catch(() => undefined)
  if (file?.state !== 'whole') return undefined
  const sections = readTemplate(template)
  const notes = readNotes(file.text, sections)
  const [title = '', preview = ''] = sections.map(({ name }) => notes.get(name) ?? '')
  return { title: title.replace(/\s+/g, ' '), preview, turn: file.mark.turn }
}
