import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, rmdir, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { holderName, isStale, type LockHolder, type LockSenses, lockHolder, PLACE } from './lock-holder.js'
import { errorCode, ignoreMissing, unwritable } from './store-error.js'
import { sweepLocks } from './sweep-locks.js'

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
export async function takeLock(path: string, senses: LockSenses): Promise<Lock | { readonly holder: string }> {
  const token = randomUUID()
  const prepared = `${path}.${token}`
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const holder = await makeRoom(path, senses)
      if (holder !== undefined) return { holder: holderName(holder) }
      // Only now: those who try again and again mostly find it held.
      if (attempt === 0) await prepare(prepared, token, senses.now())
      if (!(await moves(prepared, path))) continue
      // What others left is no reason to fail: the lock is ours already.
      await sweepLocks(path, senses).catch(() => undefined)
      return held(path, token, senses)
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
async function makeRoom(path: string, senses: LockSenses): Promise<LockHolder | undefined> {
  const holder = await lockHolder(path)
  if (holder === undefined) await rmdir(path).catch(() => undefined)
  else if (isStale(holder, senses)) await unlink(join(path, holder.token)).catch(ignoreMissing)
  else return holder
  return undefined
}

function held(folder: string, token: string, { now }: LockSenses): Lock {
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
