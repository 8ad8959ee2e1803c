import type { Tool } from '@nacre/core'
import type { NoteEdit } from '../notes/note-edit.js'
import type { Section } from '../template/read-template.js'
import type { Desk } from './desk.js'
import { readEdits } from './read-edits.js'
import { UPDATE_NOTES } from './update-tool-name.js'

const DESCRIPTION = `Edits the notes of this session. For the task beside the conversation that asks for it by name and for nothing else: in the conversation itself every call is refused.`

/** The tool that updates edit notes with. It is in the list of tools from the start, so that no update changes the prefix. */
export function updateTool(sections: readonly Section[], desk: Desk): Tool<readonly NoteEdit[]> {
  const names = sections.map(({ name }) => name)
  return {
    name: UPDATE_NOTES,
    description: DESCRIPTION,
    schema: { json: schemaFor(names), parse: (input) => readEdits(input, names) },
    // In the sense of permissions: nothing outside of the session changes.
    isReadOnly: () => true,
    isConcurrencySafe: () => false,
    isCompactable: true,
    check: (_edits, { callId }) =>
      desk.admits(callId)
        ? undefined
        : { verdict: 'deny', reason: `${UPDATE_NOTES} is only for updates of the notes.` },
    run(edits, { callId }) {
      if (!desk.admits(callId)) throw new Error(`${UPDATE_NOTES} is only for updates of the notes.`)
      desk.take(callId, edits)
      return { content: [{ type: 'text', text: `Noted: ${edits.length} edits.` }] }
    },
  }
}

function schemaFor(names: readonly string[]) {
  const properties = {
    section: { type: 'string', enum: names },
    how: {
      type: 'string',
      enum: ['replace', 'append', 'change'],
      description:
        "'replace': text is the whole section. 'append': text goes to its end. 'change': text takes the place of old.",
    },
    text: { type: 'string' },
    old: { type: 'string', description: "For 'change': the exact words in the section that text takes the place of." },
  }
  return {
    type: 'object',
    properties: {
      edits: { type: 'array', items: { type: 'object', properties, required: ['section', 'how', 'text'] } },
    },
    required: ['edits'],
  }
}
