import { accounting } from '../conversation/accounting.js'
import { NacreError } from '../errors.js'
import { handlerContext } from '../hooks/dispatcher.js'
import { readWholeLog } from '../log/checkpoint.js'
import { query } from '../loop/query.js'
import type { Block, Id } from '../types/log.js'
import type { Model } from '../types/model.js'
import type { Store } from '../types/store.js'
import { LIFETIMES } from './accounts.js'
import { createAgent } from './agent.js'
import { closeSession } from './close-session.js'
import { mustBeModel } from './current-model.js'
import { copyTo, type Opened } from './open-log.js'
import type { Runtime } from './runtime.js'
import { keepSpent } from './session-log.js'
import { outdatedIn, takeUp } from './take-up.js'
import type { Inspection, Session, SessionListeners } from './types.js'
import { clear, rewind, undo } from './undo.js'

interface SessionContext {
  readonly runtime: Runtime
  readonly events: SessionListeners
  readonly opened: Opened
  /** Starts another session like this one on a log of its own. */
  start(opened: Opened): Promise<Session>
}

/** What a program can do with a session. */
export function sessionOf({ runtime, events, opened, start }: SessionContext): Session {
  const { conversation, accounts, currentModel, contributions, queries, relief, view } = runtime
  const whole = wholeLog(runtime, opened)
  const tellOutdated = outdatedTeller(runtime, opened)
  let closed: Promise<void> | undefined
  return {
    id: runtime.id,
    flags: runtime.flags,
    events,
    query(prompt, options) {
      const asked = prompt === undefined ? undefined : promptOf(prompt)
      const perform = async (signal: AbortSignal) => {
        await tellOutdated()
        return query(createAgent(runtime, signal), asked)
      }
      return queries.run({ perform, settle: () => settle(runtime) }, options?.signal)
    },
    steer: (content, options) => runtime.steering.add('core', content, options),
    isSteered: () => runtime.steering.waiting().length > 0,
    view,
    compact: (options = {}) =>
      queries.between((closing) =>
        relief.compact({ ...options, signal: AbortSignal.any([closing, options.signal ?? closing]) }),
      ),
    undo: (options = {}) =>
      queries.between(async () => {
        await whole()
        return undo(runtime, options)
      }),
    rewind: (to) =>
      queries.between(async () => {
        if (!conversation.projection.timeline.place(to)) await whole()
        return rewind(runtime, to)
      }),
    clear: () =>
      queries.between(async () => {
        await whole()
        return clear(runtime)
      }),
    outdated: () => queries.between(() => outdatedIn(runtime)),
    takeUp: () => queries.between(() => takeUp(runtime)),
    setModel: (model) => queries.between(() => setModel(runtime, model)),
    fork: async ({ at } = {}) => start(await queries.between(() => copyOf(runtime, at))),
    command: async (name, args = '') => runCommand(runtime, name, args),
    commands: () => contributions.commands().map(({ owner, item: { name, help } }) => ({ owner, name, help })),
    cost: (source) => accounts.ledger().totals(source),
    breaks: () => accounts.breaks,
    thresholds: () => currentModel.thresholds(),
    accounting: async () => accountingOf(runtime),
    inspect: async () => inspect(runtime),
    close(reason = 'closed') {
      closed ??= closeSession(runtime, reason)
      return closed
    },
    left: () => runtime.underway.left(),
  }
}

function accountingOf({ conversation, contributions, view }: Runtime) {
  const { timeline } = conversation.projection
  return accounting(conversation.rendering().messages, conversation.epoch(), {
    total: view().tokens.total,
    tool: contributions.tool,
    isOutput(id) {
      const entry = timeline.place(id)?.entry
      return entry?.kind === 'user' && entry.isOutput === true
    },
  })
}

function promptOf(prompt: string | readonly Block[]): { readonly content: readonly Block[] } {
  return { content: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt }
}

/** Says once, before the first query of a session that goes on with a log, that the prompt would be another one now. Never keeps a query from going on. */
function outdatedTeller(runtime: Runtime, { start }: Opened): () => Promise<void> {
  // What stands in a session below another is for the one above it to say.
  let isDue = start !== 'startup' && !runtime.kin
  return async () => {
    if (!isDue) return
    isDue = false
    try {
      const changes = await outdatedIn(runtime)
      if (changes) runtime.emit({ type: 'outdated', changes })
    } catch (error) {
      runtime.report(error as NacreError)
    }
  }
}

/** Between two queries: proposals are answered, and what was spent is written down. */
async function settle(runtime: Runtime): Promise<void> {
  try {
    await runtime.background.settle()
    await runtime.notes.flush(runtime.observed)
    await keepSpent(runtime)
  } catch (error) {
    runtime.report(error as NacreError)
  }
}

/** Reads the whole log where so far only the tail of it was needed. */
function wholeLog({ conversation, store }: Runtime, { log }: Opened): () => Promise<void> {
  let isWhole = log.checkpoint === undefined
  return async () => {
    if (isWhole) return
    conversation.reload(await readWholeLog(store))
    isWhole = true
  }
}

/** Runs a command of a plugin. */
async function runCommand(runtime: Runtime, name: string, args: string): Promise<string> {
  const { contributions, hooks, queries, session, notes } = runtime
  const found = contributions.commands().find(({ item }) => item.name === name)
  if (!found) {
    const known = contributions.commands().map(({ item }) => item.name)
    throw new NacreError('NOT_FOUND', `There is no command '${name}'. Known: ${known.join(', ') || 'none'}.`)
  }
  const { context, end } = handlerContext(session, hooks, found.owner, queries.signal())
  const text = await found.item.run(args, context)
  notes.give(found.owner, end())
  return text
}

/** Goes on with another model. What is too much for its window is compacted first, by the one that can read it. */
async function setModel(runtime: Runtime, model: Model): Promise<void> {
  mustBeModel('The new model', model)
  const { currentModel, view, relief, queries, conversation } = runtime
  const limit = currentModel.thresholds(model.info).compact.tokens
  if (view().tokens.total > limit) {
    currentModel.aimFor(model.info)
    conversation.refresh()
    await relief.relieve('high', { signal: queries.signal() }).finally(() => currentModel.aimFor(undefined))
  }
  currentModel.set(model)
  conversation.refresh()
}

function inspect({ currentModel, plugins, accounts, tokens, ttl, effects, store }: Runtime): Inspection {
  const last = tokens.lastResponse()
  return {
    model: currentModel.model().info,
    plugins: plugins.plugins,
    spent: accounts.ledger().list(),
    cache: { ttl, ...(last !== undefined && { left: Math.max(0, last + LIFETIMES[ttl] - effects.now()) }) },
    entries: () => store.read(),
  }
}

/** This session's log as that of a new one. */
async function copyOf({ id, store, options, effects }: Runtime, at: Id | undefined): Promise<Opened> {
  const original = { from: id, entries: await readWholeLog(store), at }
  return copyTo(options.store as Store, original, effects.newId(), new AbortController().signal)
}
