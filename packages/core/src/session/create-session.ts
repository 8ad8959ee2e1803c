import { createNanoEvents } from 'nanoevents'
import { late } from '../async/late.js'
import { coreState } from '../log/core-state.js'
import type { SessionEvent } from '../loop/events.js'
import { NacreError } from '../nacre-error.js'
import { closeOpenCalls } from './close-open-calls.js'
import type { EventStream } from './event-stream.js'
import { type Opened, openById } from './open-stored.js'
import { createQueries } from './queries.js'
import type { Runtime } from './runtime.js'
import type { Session, SessionEvents } from './session.js'
import { sessionOf } from './session-of.js'
import { realSenses, type Senses, type SessionOptions } from './session-options.js'
import { startRuntime } from './start-runtime.js'
import { withActions } from './with-actions.js'

const memory = late(() => import('../stores/memory-store.js'))

/** Starts a session, or goes on with one from where its log ends. */
export async function createSession(options: SessionOptions): Promise<Session> {
  const store = options.store ?? (await memory()).memoryStore()
  const senses: Senses = { ...realSenses, ...options.details?.senses }
  const closing = new AbortController()
  const { open = { id: senses.newId() } } = options
  const opened = await ('id' in open
    ? openById(store, open.id, closing.signal)
    : withActions(({ openKept }) => openKept(store, open, senses.newId, closing.signal)))
  return startSession({ ...options, store }, senses, opened, closing)
}

/** Starts a session on a log that is held already; lets it go when that fails. */
async function startSession(
  options: SessionOptions,
  senses: Senses,
  opened: Opened,
  closing = new AbortController(),
): Promise<Session> {
  const events = createNanoEvents<SessionEvents>()
  let stream: EventStream<SessionEvent> | undefined
  const emit = (event: SessionEvent) => {
    stream?.push(event)
    tell(options, event, () => events.emit(event.type, event as never))
    tell(options, event, () => events.emit('event', event))
  }
  try {
    const runtime = await startRuntime({ options, opened, senses, signal: new AbortController().signal, emit })
    const queries = createQueries(runtime, closing, (current) => {
      stream = current
    })
    await begin(runtime, opened)
    const start = (other: Opened) => startSession(options, senses, other)
    return sessionOf({ runtime, queries, events, opened, start })
  } catch (error) {
    await opened.store.close()
    throw error
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
  const { conversation, compositions, status, ttl, hooks, options } = runtime
  status.isOpen = true
  if (log.entries.length === 0) {
    await conversation.append(coreState('epoch', { ...compositions.of(conversation.epoch()), ttl }))
  }
  await closeOpenCalls(conversation)
  for (const text of (options.model.info as { warnings?: readonly string[] }).warnings ?? []) {
    await conversation.append({ kind: 'notice', owner: 'core', level: 'warning', text })
  }
  await hooks.collect('SessionStart', { source: start })
}
