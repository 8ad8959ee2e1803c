import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { errorCode, ignoreMissing, unwritable } from './write-file.js'

const BEAT = 15_000
const ATTEMPTS = 100
const TAKEN: readonly (string | undefined)[] = ['EEXIST', 'ENOTEMPTY', 'EPERM', 'EACCES']

/** A lock that is held until it is released, or lost to one who waited a minute for a sign of life. */
export interface Lock {
  /** The name of the one who took it over; `undefined` while it is ours. */
  lostTo(): Promise<string | undefined>
  release(): Promise<void>
}

/**
 * Takes the lock at `path`, or names its holder. A lock is a folder with one file in it, named by a token. Renaming a
 * prepared folder onto it works only while it is empty or missing, and removing a stale token can hit no other one: so
 * both steps are atomic, and a process may die between any two of them.
 */
export async function takeLock(path: string, effects: LockEffects): Promise<Lock | { readonly holder: string }> {
  const token = randomUUID()
  const prepared = `${path}.${token}`
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const holder = await makeRoom(path, effects)
      if (holder !== undefined) return { holder: holderName(holder) }
      // Only now: those who try again and again mostly find it held.
      if (attempt === 0) await prepare(prepared, token, effects.now())
      if (!(await moves(prepared, path))) continue
      // What others left is no reason to fail: the lock is ours already.
      await sweepLocks(path, effects).catch(() => undefined)
      return held(path, token, effects)
    }
    throw new Error(`${path} was never free and never held.`)
  } catch (error) {
    throw unwritable(error, path)
  } finally {
    await rm(prepared, { recursive: true, force: true })
  }
}

async function prepare(folder: string, token: string, time: number): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  const path = join(folder, token)
  await writeFile(path, JSON.stringify({ pid: process.pid, place: PLACE, started: time }), { mode: 0o600 })
  await utimes(path, time / 1000, time / 1000)
}

async function moves(prepared: string, path: string): Promise<boolean> {
  try {
    await rename(prepared, path)
    return true
  } catch (error) {
    if (!TAKEN.includes(errorCode(error))) throw error
    return false
  }
}

/** Puts away what nobody holds; answers with the holder if somebody does. */
async function makeRoom(path: string, effects: LockEffects): Promise<LockHolder | undefined> {
  const holder = await lockHolder(path)
  if (holder === undefined) await rmdir(path).catch(() => undefined)
  else if (isStale(holder, effects)) await unlink(join(path, holder.token)).catch(ignoreMissing)
  else return holder
  return undefined
}

function held(folder: string, token: string, { now }: LockEffects): Lock {
  const path = join(folder, token)
  let beaten = now()
  const beat = async () => {
    const time = now()
    await utimes(path, time / 1000, time / 1000)
    beaten = time
  }
  // A beat that fails is made up for by the next, or noticed where it matters, in `lostTo`.
  const timer = setInterval(() => void beat().catch(() => undefined), BEAT)
  timer.unref()
  return {
    async lostTo() {
      // Only one who has been silent for long can have lost it.
      if (now() - beaten < 2 * BEAT) return undefined
      const isOurs = await beat().then(
        () => true,
        () => false,
      )
      if (isOurs) return undefined
      const holder = await lockHolder(folder)
      return holder === undefined ? 'another process, that is gone again' : holderName(holder)
    },
    async release() {
      clearInterval(timer)
      await unlink(path).catch(ignoreMissing)
      // The next holder may have moved in already.
      await rmdir(folder).catch(() => undefined)
    },
  }
}

/** How a lock looks at the world; tests pass their own. */
export interface LockEffects {
  readonly now: () => number
  readonly isAlive: (pid: number) => boolean
}

interface LockHolder {
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
async function lockHolder(folder: string): Promise<LockHolder | undefined> {
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
function isStale({ pid, place, heartbeat }: LockHolder, { now, isAlive }: LockEffects): boolean {
  return (place === PLACE && !isAlive(pid)) || now() - heartbeat > STALE
}

function holderName({ pid, place, started }: LockHolder): string {
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

/** Whether a process of this machine runs, be it another user's. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Removes what takers of this lock had prepared when they were killed. */
async function sweepLocks(path: string, effects: LockEffects): Promise<void> {
  const prefix = `${basename(path)}.`
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix)) continue
    const prepared = join(dirname(path), name)
    const stats = await stat(prepared).catch(ignoreMissing)
    if (stats === undefined) continue
    const holder = await lockHolder(prepared)
    // Without a file in it nobody can be asked: then the folder's own age counts.
    const maker = holder ?? { token: '', pid: 0, place: '', started: 0, heartbeat: stats.mtimeMs }
    if (isStale(maker, effects)) await rm(prepared, { recursive: true, force: true })
  }
}
