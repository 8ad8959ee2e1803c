import type { Block, Id } from '../log/entry.js'
import type { Opened } from './open-stored.js'
import { keepSpent, type Queries } from './queries.js'
import { readWholeLog } from './read-log.js'
import type { Runtime } from './runtime.js'
import type { Session, SessionListeners } from './session.js'
import { type Actions, loadActions, withActions } from './with-actions.js'

export interface SessionParts {
  readonly runtime: Runtime
  readonly queries: Queries
  readonly events: SessionListeners
  readonly opened: Opened
  /** Starts another session like this one on a log of its own. */
  start(opened: Opened): Promise<Session>
}

/** What a program can do with a session. */
export function sessionOf({ runtime, queries, events, opened, start }: SessionParts): Session {
  const { conversation, accounts, seat, kit, relief, view } = runtime
  const whole = wholeLog(runtime, opened)
  const between = <Result>(work: (actions: Actions) => Promise<Result>) =>
    queries.between(async () => work(await loadActions()))
  let closed: Promise<void> | undefined
  return {
    id: runtime.id,
    flags: runtime.flags,
    events,
    query: (prompt, options) => queries.run(prompt === undefined ? undefined : promptOf(prompt), options?.signal),
    view,
    compact: (options = {}) =>
      queries.between((closing) =>
        relief.compact({ ...options, signal: AbortSignal.any([closing, options.signal ?? closing]) }),
      ),
    undo: (options = {}) =>
      between(async ({ undo }) => {
        await whole()
        return undo(runtime, options)
      }),
    rewind: (to) =>
      between(async ({ rewind }) => {
        if (!conversation.projection.timeline.place(to)) await whole()
        return rewind(runtime, to)
      }),
    clear: () =>
      between(async ({ clear }) => {
        await whole()
        return clear(runtime)
      }),
    setModel: (model) => between(({ setModel }) => setModel(runtime, model)),
    fork: async ({ at } = {}) => start(await between(({ copyOf }) => copyOf(runtime, at))),
    command: async (name, args = '') => withActions(({ runCommand }) => runCommand(runtime, name, args)),
    commands: () => kit.commands().map(({ owner, item: { name, help } }) => ({ owner, name, help })),
    cost: (source) => accounts.ledger().totals(source),
    breaks: () => accounts.breaks,
    thresholds: () => seat.thresholds(),
    accounting: async () =>
      withActions(({ accounting }) =>
        accounting(conversation.rendering().messages, conversation.epoch(), view().tokens.total),
      ),
    inspect: async () => withActions(({ inspect }) => inspect(runtime)),
    close(reason = 'closed') {
      closed ??= close(runtime, queries, reason)
      return closed
    },
  }
}

function promptOf(prompt: string | readonly Block[]): { readonly content: readonly Block[] } {
  return { content: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt }
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

async function close(runtime: Runtime, queries: Queries, reason: string): Promise<void> {
  const { hooks, background, plugins, store, status } = runtime
  await queries.stop()
  status.signal = new AbortController().signal
  try {
    await hooks.collect('SessionEnd', { reason })
    await background.close(status.signal)
    await plugins.dispose()
    await keepSpent(runtime)
  } finally {
    await store.close()
  }
}
