import type { Change, Edit, Epoch } from '../log/edit.js'
import type { Id, MessageEntry } from '../log/entry.js'
import { isMessage } from '../log/timeline.js'
import { NacreError } from '../nacre-error.js'
import type { Conversation } from './conversation.js'
import type { Runtime } from './runtime.js'
import { tellEdit } from './tell-edit.js'
import { accepted } from './undo.js'

/** Takes the conversation back to before an entry. Files stay as they are. */
export async function rewind(runtime: Runtime, to: Id): Promise<Edit> {
  return tellEdit(runtime, await rewindTo(runtime.conversation, to))
}

/** A rewind is one edit, with all edits that were made since. */
export async function rewindTo(conversation: Conversation, to: Id, epoch?: Epoch): Promise<Edit> {
  const { timeline } = conversation.projection
  const place = timeline.place(to)
  if (!place || !isMessage(place.entry)) throw new NacreError('NOT_FOUND', `There is no message ${to}.`)
  const from = timeline.rounds[place.round]?.entries[0] as MessageEntry
  const last = timeline.rounds.at(-1)?.entries.at(-1) as MessageEntry
  const start = timeline.place(from.id)?.ordinal ?? 0
  const alive = conversation.projection.alive()
  const later = timeline.edits.filter(({ ordinal, entry }) => ordinal > start && alive.has(entry.id))
  const changes: Change[] = [
    ...later.map(({ entry }): Change => ({ kind: 'revert', edit: entry.id })),
    { kind: 'drop', span: { from: from.id, to: last.id }, ...(epoch && { epoch }) },
  ]
  return accepted(await conversation.edit({ owner: 'user', reason: epoch ? 'clear' : 'rewind', changes }))
}
