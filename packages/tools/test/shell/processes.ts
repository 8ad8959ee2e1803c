import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, vi } from 'vitest'

/** How tests wait for what other processes do. */
export const PATIENT = { timeout: 20_000, interval: 10 }

/** Whether a process runs. One that has ended and that nobody has collected yet does not. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    if (process.platform !== 'linux') return true
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${id}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits until processes have written their ids into files, one in each. */
export function idsFrom(...files: readonly string[]): Promise<number[]> {
  return vi.waitFor(async () => {
    const ids = await Promise.all(files.map(async (file) => Number(await readFile(file, 'utf8'))))
    for (const id of ids) expect(id).toBeGreaterThan(1)
    return ids
  }, PATIENT)
}

/** Processes that are meant to run at this moment, so that a test of their end can not pass without them. */
export function expectRunning(ids: readonly number[]): void {
  expect(ids.map(isRunning)).toEqual(ids.map(() => true))
}

export function expectEnded(ids: readonly number[]): void {
  expect(ids.filter(isRunning)).toEqual([])
}
