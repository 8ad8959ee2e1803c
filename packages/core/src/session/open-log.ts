import { type ErrorCode, isNacreError, messageOf, NacreError, shown } from '../errors.js'
import { type ReadLog, readLog, readWholeLog } from '../log/checkpoint.js'
import type { Entry, Id } from '../types/log.js'
import type { SessionStore, Store } from '../types/store.js'
import type { OpenSession } from './types.js'

/** A session's log, held for this process. */
export interface Opened {
  readonly id: Id
  readonly store: SessionStore
  readonly log: ReadLog
  readonly start: 'startup' | 'resume' | 'fork'
}

/** Opens a session by its id, which may be one that is there already. */
export async function openById(store: Store, id: Id, signal: AbortSignal): Promise<Opened> {
  const opened = await openHeld(store, id, signal)
  return { ...opened, start: opened.log.entries.length > 0 ? 'resume' : 'startup' }
}

/** Opens one and reads it; lets it go when that fails. */
async function openHeld(store: Store, id: Id, signal: AbortSignal): Promise<Omit<Opened, 'start'>> {
  const session = await store.open(id, signal)
  try {
    return { id, store: session, log: await readLog(session) }
  } catch (error) {
    await session.close()
    throw error
  }
}

const COPIED = 500

/** Opens a session that is there already, to go on with it or with a copy of it. */
export async function openKept(
  store: Store,
  asked: Exclude<OpenSession, { readonly id: Id }>,
  newId: () => Id,
  signal: AbortSignal,
): Promise<Opened> {
  return 'fork' in asked ? copy(store, asked.fork, asked.at, newId(), signal) : resume(store, asked.resume, signal)
}

async function resume(store: Store, asked: Id | 'latest', signal: AbortSignal): Promise<Opened> {
  const id = asked === 'latest' ? await latest(store) : asked
  const opened = await openHeld(store, id, signal)
  if (opened.log.entries.length > 0) return { ...opened, start: 'resume' }
  await opened.store.close()
  throw unknown(id)
}

async function latest(store: Store): Promise<Id> {
  for await (const { id } of store.list()) return id
  throw new NacreError('SESSION_NOT_FOUND', 'There is no session to go on with yet: start a new one.')
}

/** A new session with the log of another one, up to an entry. */
async function copy(store: Store, from: Id, at: Id | undefined, id: Id, signal: AbortSignal): Promise<Opened> {
  return copyTo(store, { from, entries: await wholeEntries(store, from, signal), at }, id, signal)
}

/** Also of a session that another holds, where the store lets one look. */
async function wholeEntries(store: Store, id: Id, signal: AbortSignal): Promise<readonly Entry[]> {
  if (store.peek) {
    const entries = await store.peek(id)
    if (entries.length === 0) throw unknown(id)
    return entries
  }
  const { store: held, log } = await resume(store, id, signal)
  try {
    return log.checkpoint ? await readWholeLog(held) : log.entries
  } finally {
    await held.close()
  }
}

function unknown(id: Id): NacreError {
  return new NacreError('SESSION_NOT_FOUND', `There is no session ${id}. List them, or start a new one.`)
}

/** A session that is to be copied, up to an entry. */
interface Original {
  readonly from: Id
  readonly entries: readonly Entry[]
  readonly at: Id | undefined
}

/** Keeps what a session has as a session of its own. */
export async function copyTo(
  store: Store,
  { from, entries, at }: Original,
  id: Id,
  signal: AbortSignal,
): Promise<Opened> {
  const kept = upTo(entries, at)
  const target = await store.open(id, signal)
  try {
    await store.copyBlobs(from, id)
    await appendInParts(target, kept)
    return { id, store: target, log: await readLog(target), start: 'fork' }
  } catch (error) {
    await target.close()
    throw error
  }
}

function upTo(entries: readonly Entry[], at: Id | undefined): readonly Entry[] {
  if (at === undefined) return entries
  const end = entries.findIndex(({ id }) => id === at)
  if (end < 0) throw new NacreError('NOT_FOUND', `No entry ${at} in the session to be forked.`)
  return entries.slice(0, end + 1)
}

/** A log may be long: it is never one batch. */
export async function appendInParts(store: SessionStore, entries: readonly Entry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += COPIED) await store.append(entries.slice(start, start + COPIED))
}

/** A store whose failures say that they are those of the store, and what it was asked for. */
export function nameFailures(store: Store): Store {
  const { peek } = store
  return {
    open: async (id, signal) => {
      const opened: unknown = await named(
        'STORE_UNREADABLE',
        `open session ${id}`,
        () => store.open(id, signal),
        signal,
      )
      if (typeof Object(opened).append === 'function') return nameSessionFailures(opened as SessionStore, id)
      throw new NacreError('STORE_UNREADABLE', `The store gave ${shown(opened)} for session ${id}, and no log.`)
    },
    ...(peek && { peek: (id) => named('STORE_UNREADABLE', `show session ${id}`, () => peek.call(store, id)) }),
    copyBlobs: (from, to) =>
      named('STORE_UNWRITABLE', `copy the blobs of session ${from}`, () => store.copyBlobs(from, to)),
    list: (project) => namedItems('list the sessions', () => store.list(project)),
    lease: (name, signal) => named('STORE_UNWRITABLE', `lease '${name}'`, () => store.lease(name, signal), signal),
  }
}

function nameSessionFailures(store: SessionStore, id: Id): SessionStore {
  const { readBack, transcript } = store
  const of = (what: string) => `${what} session ${id}`
  return {
    ...(transcript !== undefined && { transcript }),
    append: (batch) => named('STORE_UNWRITABLE', of('append to'), () => store.append(batch)),
    read: (from) => namedItems(of('read'), () => store.read(from)),
    ...(readBack && { readBack: () => namedItems(of('read'), () => readBack.call(store)) }),
    put: (name, data) => named('STORE_UNWRITABLE', of(`keep '${name}' for`), () => store.put(name, data)),
    get: (blob, range) => namedItems(of(`give the blob ${blob} of`), () => store.get(blob, range)),
    close: () => named('STORE_UNWRITABLE', of('close'), () => store.close()),
  }
}

async function named<T>(code: ErrorCode, what: string, ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw signal?.aborted ? error : storeError(code, what, error)
  }
}

async function* namedItems<T>(what: string, ask: () => AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* ask()
  } catch (error) {
    throw storeError('STORE_UNREADABLE', what, error)
  }
}

function storeError(code: ErrorCode, what: string, cause: unknown): NacreError {
  if (isNacreError(cause)) return cause
  return new NacreError(code, `The store could not ${what}: ${messageOf(cause)}`, { cause })
}
