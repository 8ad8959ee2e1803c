import { EventEmitter } from 'eventemitter3'
import { realTimer } from '../async.js'
import { closeOpenCalls } from '../conversation/conversation.js'
import { NacreError } from '../errors.js'
import { coreState } from '../log/timeline.js'
import { memoryStore } from '../stores/memory-store.js'
import type { ChildOptions, ChildSession } from '../types/child.js'
import type { SessionEvent } from '../types/events.js'
import { childOf, openChild } from './child.js'
import { mustBeModel } from './current-model.js'
import { nameFailures, type Opened, openById, openKept } from './open-log.js'
import { createQueries } from './queries.js'
import type { Kin, Runtime } from './runtime.js'
import { sessionOf } from './session.js'
import { startRuntime } from './start-runtime.js'
import type { Effects, Session, SessionEvents, SessionListeners, SessionOptions } from './types.js'
import { createUnderway, watchStore } from './underway.js'

/** Starts a session, or goes on with one from where its log ends. */
export async function createSession(options: SessionOptions): Promise<Session> {
  mustBeModel('The model of the session', options?.model)
  if (options.details?.fallback !== undefined) mustBeModel("The session's 'fallback'", options.details.fallback)
  const store = nameFailures(options.store ?? memoryStore())
  const effects: Effects = { ...realEffects, ...options.details?.effects }
  const closing = new AbortController()
  const { open = { id: effects.newId() } } = options
  const opened = await ('id' in open
    ? openById(store, open.id, closing.signal)
    : openKept(store, open, effects.newId, closing.signal))
  const { session } = await startSession({ ...options, store }, effects, { opened, closing })
  return session
}

interface SessionStart {
  readonly opened: Opened
  readonly kin?: Kin
  readonly closing?: AbortController
}

/** Starts a session on a log that is held already; lets it go when that fails. */
async function startSession(
  options: SessionOptions,
  effects: Effects,
  { opened: given, kin, closing = new AbortController() }: SessionStart,
): Promise<{ readonly session: Session; readonly runtime: Runtime }> {
  const events = new EventEmitter<SessionEvents>()
  const underway = createUnderway()
  const queries = createQueries({ closing, timer: effects.timer, left: underway.left, tell: (event) => emit(event) })
  const emit = (event: SessionEvent) => {
    // Its end was told when it was left behind.
    if (!queries.tell(event) && event.type === 'end') return
    tell(options, event, () => events.emit(event.type, ...([event] as never)))
    tell(options, event, () => events.emit('event', event))
  }
  const opened = { ...given, store: watchStore(given.store, underway.watch) }
  try {
    const runtime = await startRuntime({ options, opened, effects, queries, underway, kin, child: startChild, emit })
    await begin(runtime, opened)
    const start = async (other: Opened) => (await startSession(options, effects, { opened: other })).session
    return { runtime, session: sessionOf({ runtime, events: listenersOf(events), opened, start }) }
  } catch (error) {
    await opened.store.close()
    throw error
  }
}

/** Starts a session below another, which shares its effects. */
async function startChild(parent: Runtime, asked: ChildOptions): Promise<ChildSession> {
  const { options, opened, kin } = await openChild(parent, asked)
  const { session, runtime } = await startSession(options, parent.effects, { opened, kin })
  return childOf(parent, runtime, session)
}

function listenersOf(events: EventEmitter<SessionEvents>): SessionListeners {
  return {
    on(type, listener) {
      events.on(type, listener as never)
      return () => events.off(type, listener as never)
    },
  }
}

/** A listener that throws is reported: what it listens to goes on. */
function tell({ details }: SessionOptions, { type }: SessionEvent, work: () => void): void {
  try {
    work()
  } catch (cause) {
    details?.report?.(new NacreError('HOOK_FAILED', `A listener of '${type}' failed: ${String(cause)}`, { cause }))
  }
}

/** The first entries of a new session, or what a resumed one needs to go on. */
async function begin(runtime: Runtime, { start, log }: Opened): Promise<void> {
  const { conversation, compositions, ttl, hooks, options } = runtime
  if (log.entries.length === 0) {
    await conversation.append(coreState('epoch', { ...compositions.of(conversation.epoch()), ttl }))
  }
  await closeOpenCalls(conversation)
  for (const text of (options.model.info as { warnings?: readonly string[] }).warnings ?? []) {
    await conversation.append({ kind: 'notice', owner: 'core', level: 'warning', text })
  }
  await hooks.collect('SessionStart', { source: start })
}

export const realEffects: Effects = {
  now: Date.now,
  newId: () => crypto.randomUUID(),
  random: Math.random,
  timer: realTimer,
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, milliseconds)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
    }),
}
