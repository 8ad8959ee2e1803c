import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Lock, type LockEffects, makePrivateFolder, takeLock } from '@nacre/core/node'
import { ignoreMissing, replaceFile } from './atomic-fs.js'
import { CONSOLIDATE_LOCK, PRIVATE } from './paths.js'

const STALE = 60 * 60 * 1000
/** Some file systems keep times to two seconds. */
const SAME_TIME = 2_000
const LONGEST_BODY = 64

/** How a lock looks at the world. `pid` is who holds it, where that is not this process. */
export interface ConsolidationEffects extends LockEffects {
  readonly pid?: number
}

/** A dream's right to run. One of the two ends it, and whichever is called second does nothing. */
export interface Held {
  /** When the last consolidation ended, in milliseconds; 0 when there was none. */
  readonly previous: number
  /** This one has ended now. */
  succeed(): Promise<void>
  /** This one has failed or was stopped: the last one is again what was there before. */
  putBack(): Promise<void>
}

/** When the last consolidation of a folder ended, by one look at a file; 0 when there was none. */
export async function lastConsolidated(folder: string): Promise<number> {
  const stats = await stat(join(folder, CONSOLIDATE_LOCK)).catch(ignoreMissing)
  return stats === undefined ? 0 : Math.round(stats.mtimeMs)
}

/**
 * Takes the right to consolidate, or says who has it or when it can be had. The file that people and other programs see
 * is written and read back; what makes it safe is a lock beside it that is held as long as the dream runs.
 */
export async function acquireConsolidation(
  folder: string,
  effects: ConsolidationEffects,
): Promise<{ readonly acquired: Held } | { readonly refused: string }> {
  await makePrivateFolder(join(folder, PRIVATE))
  const mutex = await takeLock(join(folder, PRIVATE, 'dream'), effects)
  if ('holder' in mutex) return { refused: `Another dream is running: ${mutex.holder}.` }
  let isHeld = false
  try {
    const room = await makeRoom(folder, effects)
    if ('refused' in room) return room
    const { now, pid = process.pid } = effects
    const run: Run = { pid, previous: room.previous, started: now(), state: 'running' }
    await writeRun(folder, run)
    await writeVisible(folder, run)
    const found = await readVisible(folder)
    if (found?.pid !== pid || Math.abs(found.time - run.started) > SAME_TIME) {
      return {
        refused: `Another program has written ${CONSOLIDATE_LOCK} at the same moment. The next session tries again.`,
      }
    }
    isHeld = true
    return { acquired: held(folder, run, mutex, now) }
  } finally {
    if (!isHeld) await mutex.release()
  }
}

/**
 * Puts back the time of a dream that was killed, so that it does not count as one, and says whether there was such a
 * one. For the start of a session: who only looks at the time would wait a day.
 */
export async function repairConsolidation(folder: string, effects: ConsolidationEffects): Promise<boolean> {
  const run = await readRun(folder)
  if (run?.state !== 'running' || effects.isAlive(run.pid)) return false
  const mutex = await takeLock(join(folder, PRIVATE, 'dream'), effects)
  if ('holder' in mutex) return false
  try {
    const visible = await readVisible(folder)
    const again = await readRun(folder)
    if (visible === undefined || again === undefined || !hasDied(again, visible, effects)) return false
    await restore(folder, again)
    return true
  } finally {
    await mutex.release()
  }
}

/** The lock that everybody sees: who wrote it, and when the last consolidation ended or the current one began. */
interface Visible {
  /** `undefined` where the file says something else. */
  readonly pid?: number
  readonly time: number
}

/** Our own record of a dream, beside the lock that everybody sees. */
interface Run {
  readonly pid: number
  /** 0 when there was no lock before it. */
  readonly previous: number
  readonly started: number
  readonly state: 'running' | 'ended'
}

/** Decides whether the lock may be taken, and puts back what a killed dream has left. For the holder of the mutex. */
async function makeRoom(
  folder: string,
  effects: ConsolidationEffects,
): Promise<{ readonly previous: number } | { readonly refused: string }> {
  const visible = await readVisible(folder)
  if (visible === undefined) return { previous: 0 }
  const { pid, time } = visible
  const run = await readRun(folder)
  if (run?.state === 'ended' && run.pid === pid) return { previous: time }
  if (pid !== undefined && effects.isAlive(pid)) return { refused: `Process ${pid} is consolidating this memory.` }
  if (run && hasDied(run, visible, effects)) {
    await restore(folder, run)
    return { previous: run.previous }
  }
  // A time in the future is no better than an old one.
  if (Math.abs(effects.now() - time) > STALE) return { previous: time }
  const who = pid === undefined ? 'somebody whose number it does not have' : `process ${pid}, which is gone`
  const when = new Date(time + STALE).toISOString()
  return { refused: `${CONSOLIDATE_LOCK} was left by ${who}. It can be taken over after ${when}.` }
}

/** Whether the lock was left by that very run, which is over. */
function hasDied(run: Run, visible: Visible, { isAlive }: ConsolidationEffects): boolean {
  const isOfRun = run.state === 'running' && run.pid === visible.pid && !isAlive(run.pid)
  return isOfRun && Math.abs(visible.time - run.started) <= SAME_TIME
}

function held(folder: string, run: Run, mutex: Lock, now: () => number): Held {
  let isOver = false
  const end = async (finish: (isOurs: boolean) => Promise<void>) => {
    if (isOver) return
    isOver = true
    try {
      await finish((await readVisible(folder))?.pid === run.pid)
    } finally {
      await mutex.release()
    }
  }
  return {
    previous: run.previous,
    // First the record: killed in between, it counts as ended when it began, and not as failed.
    succeed: () =>
      end(async (isOurs) => {
        await writeRun(folder, { ...run, state: 'ended' })
        if (isOurs) await setTime(folder, now())
      }),
    putBack: () =>
      end(async (isOurs) => {
        if (isOurs) await restore(folder, run)
        else await writeRun(folder, { ...run, state: 'ended' })
      }),
  }
}

async function restore(folder: string, run: Run): Promise<void> {
  if (run.previous === 0) await unlink(join(folder, CONSOLIDATE_LOCK)).catch(ignoreMissing)
  else await setTime(folder, run.previous)
  await writeRun(folder, { ...run, state: 'ended' })
}

async function setTime(folder: string, time: number): Promise<void> {
  await utimes(join(folder, CONSOLIDATE_LOCK), time / 1000, time / 1000).catch(ignoreMissing)
}

/** The number and its time appear together, by a rename. */
async function writeVisible(folder: string, { pid, started }: Run): Promise<void> {
  const temporary = join(folder, PRIVATE, `dream-lock-${randomUUID()}`)
  try {
    await writeFile(temporary, `${pid}\n`, { mode: 0o600 })
    await utimes(temporary, started / 1000, started / 1000)
    await rename(temporary, join(folder, CONSOLIDATE_LOCK))
  } finally {
    await rm(temporary, { force: true })
  }
}

async function readVisible(folder: string): Promise<Visible | undefined> {
  const handle = await open(join(folder, CONSOLIDATE_LOCK), 'r').catch(ignoreMissing)
  if (handle === undefined) return undefined
  try {
    // Whatever somebody has put there, no more than a number is read.
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_BODY), 0, LONGEST_BODY, 0)
    const [, pid] = /^(\d{1,10})\s*$/.exec(buffer.toString('latin1', 0, bytesRead)) ?? []
    const time = Math.round((await handle.stat()).mtimeMs)
    return Number(pid) > 0 ? { pid: Number(pid), time } : { time }
  } finally {
    await handle.close()
  }
}

const runPath = (folder: string) => join(folder, PRIVATE, 'dream-run.json')

async function writeRun(folder: string, run: Run): Promise<void> {
  const temporary = join(folder, PRIVATE, `dream-run-${randomUUID()}`)
  await replaceFile(runPath(folder), `${JSON.stringify(run)}\n`, temporary)
}

/** A record that can't be read proves nothing. */
async function readRun(folder: string): Promise<Run | undefined> {
  const text = (await readFile(runPath(folder), 'utf8').catch(ignoreMissing)) ?? ''
  try {
    const { pid, previous, started, state } = JSON.parse(text) as Record<string, unknown>
    const isWhole = [pid, previous, started].every(Number.isFinite) && (state === 'running' || state === 'ended')
    return isWhole ? { pid: Number(pid), previous: Number(previous), started: Number(started), state } : undefined
  } catch {
    return undefined
  }
}
