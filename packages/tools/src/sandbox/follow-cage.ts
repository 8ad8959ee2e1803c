import type { ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { Readable } from 'node:stream'
import { CAGE_DESCRIPTORS, type CageNews } from './sandbox.js'
import type { Standstill } from './standstill.js'

interface Following {
  readonly isHeld: boolean
  readonly others: Pick<Standstill, 'add' | 'remove'>
  /** Lets all others go on. */
  goOn(): void
}

/** What the first process of a cage says once it runs: then all is mounted. */
export const BEGUN = 'begun'

/**
 * Follows what was started by what the first process says: that the cage stands, and later how the command has ended.
 */
export function follow(child: ChildProcess | undefined, { isHeld, others, goOn }: Following): CageNews {
  const maker = child?.pid
  if (!child || maker === undefined) {
    goOn()
    return { stands: Promise.resolve(false), code: Promise.resolve(undefined) }
  }
  others.add(maker)
  child.once('exit', () => {
    others.remove(maker)
    goOn()
  })
  if (!isHeld) goOn()
  const status = (child.stdio as readonly unknown[])[CAGE_DESCRIPTORS.status] as Readable | null | undefined
  const news = new EventEmitter<{ stands: [boolean] }>()
  const stands = isHeld ? once(news, 'stands').then(([isStanding]) => isStanding as boolean) : Promise.resolve(true)
  const code = endOf(status, () => {
    goOn()
    news.emit('stands', true)
  }).finally(() => news.emit('stands', false))
  return { stands, code }
}

async function endOf(status: Readable | null | undefined, begun: () => void): Promise<number | undefined> {
  let told = ''
  try {
    for await (const part of status?.setEncoding('utf8') ?? []) {
      told += part
      if (told.startsWith(`${BEGUN}\n`)) begun()
      if (told.split('\n').length > 2) break
    }
  } catch {
    // Released.
  }
  const [, code, end] = told.split('\n')
  return end === undefined ? undefined : Number(code)
}
