import { AsyncLocalStorage } from 'node:async_hooks'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { NacreError } from '@nacre/core'
import { isProcessAlive, type Lock, takeLock } from '@nacre/core/node'

const LONGEST = 30_000
const SHORTEST_STEP = 5
const LONGEST_STEP = 60

interface WriteLockOptions {
  readonly path: string
  readonly now: () => number
  readonly random: () => number
  readonly wait: (milliseconds: number) => Promise<void>
  /** Is told the file system's time, taken after the lock was. */
  readonly onClock: (time: bigint) => void
}

/** Runs what it is given alone: in this process one after another, and among processes by a lock in the folder. */
export type WithLock = <Result>(run: (lock: Lock) => Promise<Result>) => Promise<Result>

export function createWriteLock(options: WriteLockOptions): WithLock {
  const holding = new AsyncLocalStorage<{ isHeld: boolean }>()
  let last: Promise<unknown> = Promise.resolve()
  return async (run) => {
    if (holding.getStore()?.isHeld) {
      const message = 'A change of the memory folder was asked for inside of another one, which would wait for itself.'
      throw new NacreError('INVALID_REQUEST', `${message} Answer with the files instead.`)
    }
    const locked = async () => {
      const lock = await waitForLock(options)
      // What was begun inside and goes on afterwards is no longer inside.
      const state = { isHeld: true }
      try {
        options.onClock((await stat(dirname(options.path), { bigint: true })).mtimeNs)
        return await holding.run(state, () => run(lock))
      } finally {
        state.isHeld = false
        await lock.release()
      }
    }
    const next = last.then(locked, locked)
    last = next.catch(() => undefined)
    return next
  }
}

/** Tries again in steps that differ, and the sooner the longer it has waited, so that among many none is always late. */
async function waitForLock({ path, now, random, wait }: WriteLockOptions): Promise<Lock> {
  let waited = 0
  for (let attempt = 1; ; attempt++) {
    const lock = await takeLock(path, { now, isAlive: isProcessAlive })
    if (!('holder' in lock)) return lock
    if (waited >= LONGEST) {
      const message = `The memory folder ${dirname(dirname(path))} is being written by ${lock.holder}. Try again later.`
      throw new NacreError('SESSION_BUSY', message, { holder: lock.holder })
    }
    const patience = LONGEST_STEP * (1 - waited / LONGEST)
    const pause = Math.max(Math.min(patience, SHORTEST_STEP * attempt), SHORTEST_STEP) * (0.5 + random())
    await wait(pause)
    waited += pause
  }
}
