import { join } from 'node:path'
import type { Store } from '../contract/store.js'
import type { Entry, Id } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import { dataFolder } from './data-folder.js'
import { isProcessAlive } from './is-process-alive.js'
import { listSessions } from './list-sessions.js'
import type { LockSenses } from './lock-holder.js'
import { mendLog } from './mend-log.js'
import { lockSession, type OpenOptions, openSession, type StoreNotice } from './open-session.js'
import { peekSession } from './peek-session.js'
import { projectSlug } from './project-slug.js'
import { purgeSession } from './purge-session.js'
import { leasePlace, makeFolder, sessionPlace } from './session-place.js'
import { takeLock } from './take-lock.js'
import { sweepUnfinished } from './unfinished-file.js'

export interface FileStoreOptions {
  /** The data folder: `NACRE_HOME`, or what is customary on the platform. */
  readonly home?: string
  /** Sessions of one project lie together; the current folder if none is named. */
  readonly project?: string
  /** When bytes are forced down to the disk, besides at the close. What was appended survives a kill either way. */
  readonly fsync?: 'folds' | 'appends'
  /** Is told of a torn batch that was dropped. */
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
  const senses: LockSenses = { now, isAlive }
  const syncs = options.fsync === 'appends' ? () => true : holdsFold
  const opening: OpenOptions = { senses, syncs, report: options.report ?? (() => undefined) }
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
    list: (name) => listSessions(name === undefined ? folder : folderOf(name)),
    async lease(name, signal) {
      mustGoOn(signal)
      await makeFolder(folder)
      const lock = await takeLock(leasePlace(folder, name), senses)
      return 'holder' in lock ? undefined : { release: () => lock.release() }
    },
    async purge(session, secret) {
      const place = sessionPlace(folder, session)
      await makeFolder(folder)
      const lock = await lockSession(session, place, senses)
      try {
        await sweepUnfinished(place.blobs)
        await mendLog(place.log)
        await purgeSession(place, secret)
      } finally {
        await lock.release()
      }
    },
  }
}

function holdsFold(batch: readonly Entry[]): boolean {
  return batch.some((entry) => entry.kind === 'edit' && entry.changes.some(({ kind }) => kind === 'fold'))
}

function mustGoOn(signal: AbortSignal): void {
  if (signal.aborted) throw new NacreError('ABORTED', 'Stopped before the store was asked.', { cause: signal.reason })
}
