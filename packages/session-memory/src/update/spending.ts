import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolder } from '@nacre/core/node'

/** What updates have cost: in this session, and today in all sessions of a data folder. */
export interface Spending {
  add(dollars: number): Promise<void>
  /** Since the start, or since it was last asked with `true`. */
  sinceFold(isFolded?: boolean): number
  today(): Promise<number>
}

/** Each update is a line in a file for the day, so that sessions beside one another count together. */
export function createSpending(home: string = dataFolder(), now: () => number): Spending {
  const folder = join(home, 'session-memory-spent')
  const file = () => join(folder, new Date(now()).toISOString().slice(0, 10))
  let own = 0
  return {
    async add(dollars) {
      own += dollars
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await appendFile(file(), `${dollars}\n`, { mode: 0o600 })
    },
    sinceFold(isFolded = false) {
      const spent = own
      if (isFolded) own = 0
      return spent
    },
    async today() {
      const lines = (await readFile(file(), 'utf8').catch(() => '')).split('\n')
      return lines.reduce((sum, line) => sum + (Number(line) || 0), 0)
    },
  }
}
