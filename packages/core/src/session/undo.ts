import { coreState } from '../log/core-state.js'
import type { Change, Edit } from '../log/edit.js'
import type { Id } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import type { Conversation } from './conversation.js'
import type { Runtime } from './runtime.js'
import type { UndoOptions } from './session.js'
import { tellEdit } from './tell-edit.js'

const UNDOABLE: ReadonlySet<Change['kind']> = new Set(['fold', 'drop', 'replace', 'erase'])

/** Takes back an edit and pins what it brings back, unless that is more than fits. */
export async function undo(runtime: Runtime, { edit: id, force }: UndoOptions): Promise<Edit> {
  const { conversation, view, seat, tokens } = runtime
  const edit = editToUndo(conversation, id)
  const size = view().tokens.total + tokens.calibration.tokens(Math.max(0, edit.price.freed))
  const { block } = seat.thresholds()
  if (!force && edit.price.freed > 0 && size > block.tokens) {
    const message = `With that back the context would be about ${size} tokens, above the limit of ${block.tokens}. Force it, or undo less.`
    throw new NacreError('EDIT_REFUSED', message)
  }
  const done = await undoEdit(conversation, edit)
  const pinned = [...((view().state('core', 'pinned') as readonly Id[] | undefined) ?? []), edit.id]
  await conversation.append(coreState('pinned', pinned))
  return tellEdit(runtime, done)
}

/** The edit that an undo means: the one that is named, or the last fold, drop or clear in force. */
function editToUndo({ projection }: Conversation, id?: Id): Edit {
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

async function undoEdit(conversation: Conversation, edit: Edit): Promise<Edit> {
  const changes: Change[] = [{ kind: 'revert', edit: edit.id }]
  return accepted(await conversation.edit({ owner: 'user', reason: `undo: ${edit.reason}`, changes }))
}

export function accepted(done: Edit | { readonly refused: string }): Edit {
  if ('refused' in done) throw new NacreError('EDIT_REFUSED', done.refused)
  return done
}
