import type { Conversation, NewEntry } from '../conversation/conversation.js'
import { NacreError } from '../errors.js'
import { coreState, isMessage, type Place } from '../log/timeline.js'
import { type Composition, composeEpoch } from '../prompt/epoch.js'
import type { Change, Edit, Id, MessageEntry, StateEntry } from '../types/log.js'
import { pinnedEdits } from '../view/pinned.js'
import type { Runtime } from './runtime.js'
import type { UndoOptions } from './types.js'

const UNDOABLE: ReadonlySet<Change['kind']> = new Set(['fold', 'drop', 'replace', 'erase'])

/** Takes back an edit and pins what it brings back, unless that is more than fits. */
export async function undo(runtime: Runtime, { edit: id, force }: UndoOptions): Promise<Edit> {
  const { conversation, view, currentModel } = runtime
  const edit = editToUndo(conversation, id)
  const size = view().tokens.total + Math.max(0, edit.price.freed)
  const { block } = currentModel.thresholds()
  if (!force && edit.price.freed > 0 && size > block.tokens) {
    const message = `With that back the context would be about ${size} tokens, above the limit of ${block.tokens}. Force it, or undo less.`
    throw new NacreError('EDIT_REFUSED', message)
  }
  // In one batch: what is back is pinned, or nothing is back.
  const entries = () => [coreState('pinned', [...pinnedEdits(view()), edit.id])]
  return tellEdit(runtime, await undoEdit(conversation, edit, entries))
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

function isRenewal({ kind }: Change): boolean {
  return kind === 'renew'
}

type Beside = () => readonly NewEntry<StateEntry>[]

async function undoEdit(conversation: Conversation, edit: Edit, entries: Beside): Promise<Edit> {
  const changes: Change[] = [{ kind: 'revert', edit: edit.id }]
  return accepted(await conversation.edit({ owner: 'user', reason: `undo: ${edit.reason}`, changes }, { entries }))
}

export function accepted(done: Edit | { readonly refused: string }): Edit {
  if ('refused' in done) throw new NacreError('EDIT_REFUSED', done.refused)
  return done
}

/** Takes the conversation back to before an entry. Files stay as they are. */
export async function rewind(runtime: Runtime, to: Id): Promise<Edit> {
  return tellEdit(runtime, await rewindTo(runtime.conversation, to))
}

/** A rewind is one edit, with all edits that were made since. */
async function rewindTo(conversation: Conversation, to: Id, composition?: Composition): Promise<Edit> {
  const { timeline } = conversation.projection
  const place = timeline.place(to)
  if (!place || !isMessage(place.entry)) throw new NacreError('NOT_FOUND', `There is no message ${to}.`)
  const from = timeline.rounds[place.round]?.entries[0] as MessageEntry
  const last = timeline.rounds.at(-1)?.entries.at(-1) as MessageEntry
  const start = timeline.place(from.id)?.ordinal ?? 0
  const alive = conversation.projection.alive()
  const isLater = ({ ordinal, entry }: Place<Edit>) => ordinal > start && alive.has(entry.id)
  // A prompt that was taken up is not part of what was said.
  const later = timeline.edits.filter((place) => isLater(place) && !place.entry.changes.some(isRenewal))
  const changes: Change[] = [
    ...later.map(({ entry }): Change => ({ kind: 'revert', edit: entry.id })),
    { kind: 'drop', span: { from: from.id, to: last.id }, ...(composition && { epoch: composition.epoch }) },
  ]
  const proposal = { owner: 'user', reason: composition ? 'clear' : 'rewind', changes }
  const entries = () => (composition ? [coreState('epoch', composition)] : [])
  return accepted(await conversation.edit(proposal, { entries }))
}

/** Begins anew, with sections and tools as they are now; the log keeps what was. */
export async function clear(runtime: Runtime): Promise<Edit | undefined> {
  const { conversation, contributions, compositions, hooks } = runtime
  const first = conversation.projection.timeline.rounds[0]?.entries[0]
  if (!first) return undefined
  const composition = await composeEpoch(contributions.sections(), contributions.tools())
  compositions.add(composition)
  const edit = await rewindTo(conversation, first.id, composition)
  await tellEdit(runtime, edit)
  await hooks.collect('SessionStart', { source: 'clear' })
  return edit
}

/** Tells people and plugins of an edit that was accepted. */
export async function tellEdit(
  { hooks, view, emit }: Pick<Runtime, 'hooks' | 'view' | 'emit'>,
  edit: Edit,
): Promise<Edit> {
  emit({ type: 'edit', edit })
  await hooks.collect('ViewChanged', { edit, view: view() })
  return edit
}
