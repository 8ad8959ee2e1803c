import type { Id, Tool, ToolCall } from '@nacre/core'
import type { NoteEdit, Section } from '../notes/notes.js'
import { UPDATE_NOTES } from '../notes/update-prompt.js'

const DESCRIPTION = `Edits the notes of this session. For the task beside the conversation that asks for it by name and for nothing else: in the conversation itself every call is refused.`

/** The tool that updates edit notes with. It is in the list of tools from the start, so that no update changes the prefix. */
export function updateTool(sections: readonly Section[], pendingEdits: PendingEdits): Tool<readonly NoteEdit[]> {
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
      pendingEdits.admits(callId)
        ? undefined
        : { verdict: 'deny', reason: `${UPDATE_NOTES} is only for updates of the notes.` },
    run(edits, { callId }) {
      if (!pendingEdits.admits(callId)) throw new Error(`${UPDATE_NOTES} is only for updates of the notes.`)
      pendingEdits.take(callId, edits)
      return { content: [{ type: 'text', text: `Noted: ${edits.length} edits.` }] }
    },
  }
}

const WAYS = ['replace', 'append', 'change'] as const

function schemaFor(names: readonly string[]) {
  const properties = {
    section: { type: 'string', enum: names },
    how: {
      type: 'string',
      enum: WAYS,
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

/** The edits of a call; throws with words for the model where one can not be used. */
function readEdits(input: unknown, sections: readonly string[]): readonly NoteEdit[] {
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

/** Where the calls of one update are let in and their edits gathered. */
interface OpenUpdate {
  /** Judges a call of the fork. */
  allow(call: ToolCall): boolean
  /** The edits of all calls; throws when there was none, or one that could not be used. */
  edits(): readonly NoteEdit[]
  /** From here on every call is refused. */
  close(): void
}

/** Tells the calls of a running update from all others. */
export interface PendingEdits {
  open(): OpenUpdate
  /** Whether a call belongs to a running update. */
  admits(call: Id): boolean
  take(call: Id, edits: readonly NoteEdit[]): void
}

export function createPendingEdits(): PendingEdits {
  const open = new Map<Id, Map<Id, readonly NoteEdit[] | undefined>>()
  return {
    open() {
      const calls = new Map<Id, readonly NoteEdit[] | undefined>()
      let isOpen = true
      return {
        allow(call) {
          if (!isOpen || call.name !== UPDATE_NOTES) return false
          calls.set(call.id, undefined)
          open.set(call.id, calls)
          return true
        },
        close() {
          isOpen = false
          for (const id of calls.keys()) open.delete(id)
        },
        edits() {
          if (calls.size === 0) throw new Error(`${UPDATE_NOTES} was not called.`)
          const taken = [...calls.values()]
          if (taken.includes(undefined)) throw new Error(`The input of ${UPDATE_NOTES} could not be used.`)
          return taken.flatMap((edits) => edits ?? [])
        },
      }
    },
    admits: (call) => open.has(call),
    take(call, edits) {
      open.get(call)?.set(call, edits)
    },
  }
}
