import { readlinkSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ignoreMissing } from './store-error.js'

/** How a lock looks at the world; tests pass their own. */
export interface LockSenses {
  readonly now: () => number
  readonly isAlive: (pid: number) => boolean
}

export interface LockHolder {
  /** The name of the file that is the lock; no two takers ever share one. */
  readonly token: string
  readonly pid: number
  readonly place: string
  readonly started: number
  readonly heartbeat: number
}

const STALE = 60_000

/** The host, and on Linux the pid namespace: two containers on one host have the same name and other processes. */
export const PLACE = `${hostname()}${namespace()}`

/** Who holds a lock folder; `undefined` when it is empty, gone, or changes hands just now. */
export async function lockHolder(folder: string): Promise<LockHolder | undefined> {
  const [token] = (await readdir(folder).catch(ignoreMissing)) ?? []
  if (token === undefined) return undefined
  const path = join(folder, token)
  const [text, stats] = await Promise.all([readFile(path, 'utf8'), stat(path)]).catch((error) => {
    ignoreMissing(error)
    return []
  })
  return text === undefined || stats === undefined ? undefined : { ...parsed(text), token, heartbeat: stats.mtimeMs }
}

/** A dead process never comes back. One that can't be asked, or hangs, is given a minute. */
export function isStale({ pid, place, heartbeat }: LockHolder, { now, isAlive }: LockSenses): boolean {
  return (place === PLACE && !isAlive(pid)) || now() - heartbeat > STALE
}

export function holderName({ pid, place, started }: LockHolder): string {
  return `process ${pid} on ${place.split(' ')[0]}, since ${new Date(started).toISOString()}`
}

/** An unreadable lock counts as held: only its heartbeat can end it. */
function parsed(text: string): Pick<LockHolder, 'pid' | 'place' | 'started'> {
  try {
    const { pid, place, started } = JSON.parse(text) as Record<string, unknown>
    return { pid: Number(pid) || 0, place: String(place), started: Number(started) || 0 }
  } catch {
    return { pid: 0, place: 'unknown', started: 0 }
  }
}

function namespace(): string {
  try {
    return ` ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}
