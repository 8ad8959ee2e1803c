import { join } from 'node:path'
import { mustGoOn, oneAtATime } from '../async.js'
import { NacreError } from '../errors.js'
import type { Entry, Id, NoticeEntry } from '../types/log.js'
import type { SessionStore, Store } from '../types/store.js'
import { listSessions, peekSession, sessionsBelow } from './list-sessions.js'
import { isProcessAlive, type Lock, type LockEffects, takeLock } from './lock.js'
import { type LogFile, logFile } from './log-file.js'
import { dataFolder, leasePlace, makeFolder, projectSlug, type SessionPlace, sessionPlace } from './places.js'
import { purgeSession } from './purge.js'
import { mendLog } from './read-log.js'
import { copyBlobs, sessionBlobs } from './session-blobs.js'
import { sweepUnfinished } from './write-file.js'

export interface FileStoreOptions {
  /** The data folder: `NACRE_HOME`, or what is customary on the platform. */
  readonly home?: string
  /** Sessions of one project lie together; the current folder if none is named. */
  readonly project?: string
  /** When bytes are forced down to the disk, besides at the close. What was appended survives a kill either way. */
  readonly fsync?: 'folds' | 'appends'
  /** Is told of what was cut off at the end of a log, and where it is kept. */
  readonly report?: (notice: StoreNotice) => void
  readonly now?: () => number
  readonly isAlive?: (pid: number) => boolean
}

export interface FileStore extends Store {
  /** Takes a secret out of the log and the blobs of a session that nobody has open. */
  purge(session: Id, secret: string): Promise<void>
}

/** Sessions as JSONL files, one for each, readable by their owner alone. */
export function fileStore(options: FileStoreOptions = {}): FileStore {
  const { home = dataFolder(), project = process.cwd(), now = Date.now, isAlive = isProcessAlive } = options
  const folderOf = (name: string) => join(home, 'projects', projectSlug(name))
  const folder = folderOf(project)
  const effects: LockEffects = { now, isAlive }
  const syncs = options.fsync === 'appends' ? () => true : holdsFold
  const opening: OpenOptions = { effects, syncs, report: options.report ?? (() => undefined) }
  return {
    async open(session, signal) {
      mustGoOn(signal)
      await makeFolder(folder)
      const opened = await openSession(session, sessionPlace(folder, session), opening)
      if (signal.aborted) await opened.close()
      mustGoOn(signal)
      return opened
    },
    peek: (session) => peekSession(sessionPlace(folder, session).log),
    copyBlobs: (from, to) => copyBlobs(sessionPlace(folder, from).blobs, sessionPlace(folder, to).blobs),
    list: (name) => listSessions(name === undefined ? folder : folderOf(name)),
    async lease(name, signal) {
      mustGoOn(signal)
      await makeFolder(folder)
      const lock = await takeLock(leasePlace(folder, name), effects)
      return 'holder' in lock ? undefined : { release: () => lock.release() }
    },
    async purge(session, secret) {
      await makeFolder(folder)
      // What a session said, its sub-agents may have heard.
      for (const id of [session, ...(await sessionsBelow(folder, session))]) {
        const place = sessionPlace(folder, id)
        const lock = await lockSession(id, place, effects)
        try {
          await sweepUnfinished(place.blobs)
          await mendLog(place.log)
          await purgeSession(place, secret)
        } finally {
          await lock.release()
        }
      }
    },
  }
}

function holdsFold(batch: readonly Entry[]): boolean {
  return batch.some((entry) => entry.kind === 'edit' && entry.changes.some(({ kind }) => kind === 'fold'))
}

/** Something a person should know about a store; a session gives it an id and a time. */
export type StoreNotice = Pick<NoticeEntry, 'owner' | 'level' | 'text'>

interface OpenOptions {
  readonly effects: LockEffects
  readonly syncs: (batch: readonly Entry[]) => boolean
  readonly report: (notice: StoreNotice) => void
}

/** Takes a session's lock, mends its log, and gives what its holder may do. */
async function openSession(session: Id, place: SessionPlace, options: OpenOptions): Promise<SessionStore> {
  const lock = await lockSession(session, place, options.effects)
  try {
    const tail = await mendAndSweep(place)
    if (tail.torn > 0) {
      const text = tail.aside
        ? `The end of ${place.log} could not be read: ${tail.torn} bytes were taken out of it, and are kept in ${tail.aside}.`
        : `The last batch of ${place.log} was cut off while it was written: ${tail.torn} bytes were dropped.`
      options.report({ owner: 'store', level: 'warning', text })
    }
    return heldSession(session, place, lock, logFile({ path: place.log, tail, syncs: options.syncs }))
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Side by side, and both to their end: the lock must not be let go of while one of them is at work. */
async function mendAndSweep({ log, blobs }: SessionPlace): ReturnType<typeof mendLog> {
  const [tail, swept] = await Promise.allSettled([mendLog(log), sweepUnfinished(blobs)])
  if (tail.status === 'rejected') throw tail.reason
  if (swept.status === 'rejected') throw swept.reason
  return tail.value
}

/** The session's lock, or SESSION_BUSY with the holder's name. */
async function lockSession(session: Id, { lock: path }: SessionPlace, effects: LockEffects): Promise<Lock> {
  const lock = await takeLock(path, effects)
  if ('holder' in lock) throw busy(session, lock.holder)
  return lock
}

function heldSession(session: Id, place: SessionPlace, lock: Lock, log: LogFile): SessionStore {
  const inOrder = oneAtATime()
  const blobs = sessionBlobs(place.blobs)
  let isOpen = true
  const mustHold = async () => {
    if (!isOpen) throw new NacreError('STORE_UNWRITABLE', `Session ${session} is closed. Open it again to write to it.`)
    const holder = await lock.lostTo()
    if (holder !== undefined) throw busy(session, holder)
  }
  return {
    transcript: place.log,
    append: (batch) =>
      inOrder(async () => {
        await mustHold()
        if (batch.length > 0) await log.append(batch)
      }),
    read: (from) => log.read(from),
    readBack: () => log.readBack(),
    async put(name, data) {
      await mustHold()
      return blobs.put(name, data)
    },
    get: (blob, range) => blobs.get(blob, range),
    close: () =>
      inOrder(async () => {
        if (!isOpen) return
        isOpen = false
        await log.close().finally(() => lock.release())
      }),
  }
}

function busy(session: Id, holder: string): NacreError {
  return new NacreError('SESSION_BUSY', `Session ${session} is held by ${holder}. Close it there, or fork it.`, {
    holder,
  })
}
