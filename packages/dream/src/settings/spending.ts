import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Id } from '@nacre/core'
import { dataFolder, makePrivateFolder } from '@nacre/core/node'
import { toDay } from '../memory/memory.js'

/** What one run has cost. */
export interface Bill {
  readonly by: 'extraction' | 'dream'
  readonly session: Id
  readonly dollars: number
}

/** What memory has cost, over all sessions of a data folder, each run a line in a file for its day. */
export interface Spending {
  add(bill: Bill): Promise<void>
  today(): Promise<number>
  /** By day, newest first. */
  days(): Promise<readonly { readonly day: string; readonly bills: readonly Bill[] }[]>
}

export function createSpending(home: string = dataFolder(), now: () => number): Spending {
  const folder = join(home, 'memory-spent')
  const billsOn = async (day: string): Promise<readonly Bill[]> => {
    const text = await readFile(join(folder, day), 'utf8').catch(() => '')
    return text.split('\n').flatMap((line): readonly Bill[] => {
      try {
        const bill = JSON.parse(line) as Bill
        return Number.isFinite(bill.dollars) ? [bill] : []
      } catch {
        return []
      }
    })
  }
  return {
    async add(bill) {
      await makePrivateFolder(folder)
      await appendFile(join(folder, toDay(now())), `${JSON.stringify(bill)}\n`, { mode: 0o600 })
    },
    today: async () => (await billsOn(toDay(now()))).reduce((sum, { dollars }) => sum + dollars, 0),
    async days() {
      const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name))
      const sorted = names.sort().reverse()
      return Promise.all(sorted.map(async (day) => ({ day, bills: await billsOn(day) })))
    },
  }
}
