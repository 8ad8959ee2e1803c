import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { PATIENT } from './processes.js'
import { startTools } from './start-tools.js'

/** A clock that goes on by a second when it is told to, for those who wait for one. */
function steppedTime() {
  let now = 0
  let waiting: (() => void)[] = []
  return {
    now: () => now,
    wait: (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        if (milliseconds === 1_000) waiting.push(resolve)
      }),
    step() {
      now += 1_000
      const all = waiting
      waiting = []
      for (const go of all) go()
    },
  }
}

it('tells the last line and the time, once a second', async () => {
  const time = steppedTime()
  const { run, folder } = await startTools({ time })
  const told: string[] = []
  const progress = (text: string) => told.push(text)
  const done = run('echo one; echo two; until test -e end; do sleep 0.02; done', {}, { progress })
  await vi.waitFor(() => {
    time.step()
    expect(told.at(-1)).toMatch(/^\d+ s two$/)
  }, PATIENT)
  const before = told.length
  time.step()
  await vi.waitFor(() => expect(told.length).toBe(before + 1), PATIENT)
  const seconds = told.map((text) => Number.parseInt(text, 10))
  expect(seconds).toEqual([...new Set(seconds)])
  await writeFile(join(folder, 'end'), '')
  await done
  time.step()
  expect(told.length).toBe(before + 1)
})
