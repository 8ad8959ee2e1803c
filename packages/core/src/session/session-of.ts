import type { EventEmitter } from 'eventemitter3'
import type { Model } from '../contract/model.js'
import type { Store } from '../contract/store.js'
import { handlerContext } from '../hooks/handler-context.js'
import { coreState } from '../log/core-state.js'
import type { Edit } from '../log/edit.js'
import type { Block, Id } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import { composeEpoch } from '../prompt/compose-epoch.js'
import { accounting } from '../tokens/accounting.js'
import { copyTo, type Opened } from './open-stored.js'
import type { Queries } from './queries.js'
import { readWholeLog } from './read-log.js'
import { rewindTo } from './rewind.js'
import type { Runtime } from './runtime.js'
import type { Session, SessionEvents, UndoOptions } from './session.js'
import { tellEdit } from './tell-edit.js'
import { editToUndo, undoEdit } from './undo.js'

export interface SessionParts {
  readonly runtime: Runtime
  readonly queries: Queries
  readonly events: EventEmitter<SessionEvents>
  readonly opened: Opened
  /** Starts another session like this one on a log of its own. */
  start(opened: Opened): Promise<Session>
}

/** What a program can do with a session. */
export function sessionOf({ runtime, queries, events, opened, start }: SessionParts): Session {
  const { conversation, accounts, seat, kit, relief, view } = runtime
  const whole = wholeLog(runtime, opened)
  let closed: Promise<void> | undefined
  return {
    id: runtime.id,
    flags: runtime.flags,
    events,
    query: (prompt, options) => queries.run(prompt === undefined ? undefined : promptOf(prompt), options?.signal),
    view,
    compact: (options = {}) => queries.between(() => relief.compact({ signal: runtime.status.signal, ...options })),
    undo: (options = {}) => queries.between(() => undo(runtime, whole, options)),
    rewind: (to) =>
      queries.between(async () => {
        if (!conversation.projection.timeline.place(to)) await whole()
        return tellEdit(runtime, await rewindTo(conversation, to))
      }),
    clear: () =>
      queries.between(async () => {
        await whole()
        return clear(runtime)
      }),
    setModel: (model) => queries.between(() => setModel(runtime, model)),
    fork: async ({ at } = {}) => start(await queries.between(() => copyOf(runtime, at))),
    command: (name, args = '') => runCommand(runtime, name, args),
    commands: () => kit.commands().map(({ owner, item: { name, help } }) => ({ owner, name, help })),
    cost: (source) => accounts.ledger().totals(source),
    breaks: () => accounts.breaks,
    thresholds: () => seat.thresholds(),
    accounting: () => accounting(conversation.rendering().messages, conversation.epoch(), view().tokens.total),
    close(reason = 'closed') {
      closed ??= close(runtime, queries, reason)
      return closed
    },
  }
}

function promptOf(prompt: string | readonly Block[]): { readonly content: readonly Block[] } {
  return { content: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt }
}

/** This session's log as that of a new one. */
async function copyOf({ store, options, senses, status }: Runtime, at: Id | undefined): Promise<Opened> {
  const entries = await readWholeLog(store, status.first as Id)
  return copyTo(options.store as Store, entries, at, senses.newId(), new AbortController().signal)
}

/** Reads the whole log where so far only the tail of it was needed. */
function wholeLog({ conversation, store, status }: Runtime, { log }: Opened): () => Promise<void> {
  let isWhole = log.checkpoint === undefined
  return async () => {
    if (isWhole) return
    conversation.reload(await readWholeLog(store, status.first as Id))
    isWhole = true
  }
}

async function undo(runtime: Runtime, whole: () => Promise<void>, { edit: id, force }: UndoOptions): Promise<Edit> {
  const { conversation, view, seat, tokens } = runtime
  await whole()
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

async function clear(runtime: Runtime): Promise<Edit | undefined> {
  const { conversation, kit, compositions, hooks } = runtime
  const first = conversation.projection.timeline.rounds[0]?.entries[0]
  if (!first) return undefined
  const composition = await composeEpoch(kit.sections(), kit.tools())
  compositions.add(composition)
  const edit = await rewindTo(conversation, first.id, composition.epoch)
  await conversation.append(coreState('epoch', composition))
  await tellEdit(runtime, edit)
  await hooks.collect('SessionStart', { source: 'clear' })
  return edit
}

async function setModel(runtime: Runtime, model: Model): Promise<void> {
  const { seat, view, relief, status, conversation } = runtime
  const limit = seat.thresholds(model.info).compact.tokens
  if (view().tokens.total > limit) {
    seat.aimFor(model.info)
    conversation.refresh()
    await relief.relieve('high', { signal: status.signal }).finally(() => seat.aimFor(undefined))
  }
  seat.set(model)
  conversation.refresh()
}

async function runCommand(runtime: Runtime, name: string, args: string): Promise<string> {
  const { kit, hooks, status, session, notes } = runtime
  const found = kit.commands().find(({ item }) => item.name === name)
  if (!found) {
    const known = kit.commands().map(({ item }) => item.name)
    throw new NacreError('NOT_FOUND', `There is no command '${name}'. Known: ${known.join(', ') || 'none'}.`)
  }
  const { context, end } = handlerContext(session, hooks, found.owner, status.signal)
  const text = await found.item.run(args, context)
  notes.give(found.owner, end())
  return text
}

async function close(runtime: Runtime, queries: Queries, reason: string): Promise<void> {
  const { hooks, background, plugins, store, status } = runtime
  await queries.stop()
  status.signal = new AbortController().signal
  try {
    await hooks.collect('SessionEnd', { reason })
    await background.close(status.signal)
    await plugins.dispose()
  } finally {
    await store.close()
  }
}
