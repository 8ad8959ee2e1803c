import type { Change, Edit } from '../log/edit.js'
import type { Id } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import type { Conversation } from './conversation.js'

const UNDOABLE: ReadonlySet<Change['kind']> = new Set(['fold', 'drop', 'replace'])

/** The edit that an undo means: the one that is named, or the last fold, drop or clear in force. */
export function editToUndo({ projection }: Conversation, id?: Id): Edit {
  const { timeline } = projection
  const alive = projection.alive()
  const found =
    id === undefined
      ? timeline.edits.findLast(({ entry }) => alive.has(entry.id) && isUndoable(entry))?.entry
      : timeline.place(id)?.entry
  if (found?.kind !== 'edit') {
    throw new NacreError('NOT_FOUND', id === undefined ? 'There is nothing to undo.' : `There is no edit ${id}.`)
  }
  return found
}

function isUndoable({ changes }: Edit): boolean {
  return changes.some(({ kind }) => UNDOABLE.has(kind))
}

/** Takes an edit back. */
export async function undoEdit(conversation: Conversation, edit: Edit): Promise<Edit> {
  const changes: Change[] = [{ kind: 'revert', edit: edit.id }]
  return accepted(await conversation.edit({ owner: 'user', reason: `undo: ${edit.reason}`, changes }))
}

export function accepted(done: Edit | { readonly refused: string }): Edit {
  if ('refused' in done) throw new NacreError('EDIT_REFUSED', done.refused)
  return done
}
