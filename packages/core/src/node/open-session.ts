import { oneAtATime } from '../async/one-at-a-time.js'
import type { SessionStore } from '../contract/store.js'
import type { Entry, Id, NoticeEntry } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import type { LockSenses } from './lock-holder.js'
import { type LogFile, logFile } from './log-file.js'
import type { Tail } from './log-tail.js'
import { mendLog } from './mend-log.js'
import { sessionBlobs } from './session-blobs.js'
import type { SessionPlace } from './session-place.js'
import { type Lock, takeLock } from './take-lock.js'
import { sweepUnfinished } from './unfinished-file.js'

/** Something a person should know about a store; a session gives it an id and a time. */
export type StoreNotice = Pick<NoticeEntry, 'owner' | 'level' | 'text'>

export interface OpenOptions {
  readonly senses: LockSenses
  readonly syncs: (batch: readonly Entry[]) => boolean
  readonly report: (notice: StoreNotice) => void
}

/** Takes a session's lock, mends its log, and gives what its holder may do. */
export async function openSession(session: Id, place: SessionPlace, options: OpenOptions): Promise<SessionStore> {
  const lock = await lockSession(session, place, options.senses)
  try {
    const tail = await mendAndSweep(place)
    if (tail.torn > 0) {
      const text = `The last batch of ${place.log} was cut off while it was written: ${tail.torn} bytes were dropped.`
      options.report({ owner: 'store', level: 'warning', text })
    }
    return heldSession(session, place, lock, logFile({ path: place.log, tail, syncs: options.syncs }))
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Side by side, and both to their end: the lock must not be let go of while one of them is at work. */
async function mendAndSweep({ log, blobs }: SessionPlace): Promise<Tail> {
  const [tail, swept] = await Promise.allSettled([mendLog(log), sweepUnfinished(blobs)])
  if (tail.status === 'rejected') throw tail.reason
  if (swept.status === 'rejected') throw swept.reason
  return tail.value
}

/** The session's lock, or SESSION_BUSY with the holder's name. */
export async function lockSession(session: Id, { lock: path }: SessionPlace, senses: LockSenses): Promise<Lock> {
  const lock = await takeLock(path, senses)
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
    append: (batch) =>
      inOrder(async () => {
        await mustHold()
        if (batch.length > 0) await log.append(batch)
      }),
    read: (from) => log.read(from),
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
