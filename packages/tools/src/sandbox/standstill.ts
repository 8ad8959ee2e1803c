import { setTimeout as wait } from 'node:timers/promises'
import { descendants, type ListedProcess, listProcesses, send } from '../processes.js'

/** Looks at what commands can change happen while none of them runs: or they would change it behind the one who looks. */
export interface Standstill {
  /** Waits for its turn, and until everything in cages stands still. Gives the way to say that all may go on. */
  begin(): Promise<() => void>
  /** What has made a cage: from now on all that it has started stands still for others. */
  add(maker: number): void
  remove(maker: number): void
}

export function standstill(): Standstill {
  const makers = new Set<number>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    async begin() {
      const before = last
      let done = () => {}
      last = new Promise<void>((resolve) => {
        done = resolve
      })
      await before
      const stopped = makers.size > 0 ? await stop(makers) : []
      let isOver = false
      return () => {
        // Who is late must not wake what stands still for the next one.
        if (isOver) return
        isOver = true
        for (const { id } of stopped) send(id, 'SIGCONT')
        done()
      }
    },
    add: (maker) => void makers.add(maker),
    remove: (maker) => void makers.delete(maker),
  }
}

/** More often than any program starts another before it hears that it is to stop. */
const MOST_ROUNDS = 200
const STEP = 1

/**
 * Stops processes until no other one is found. What was stopped before stays so. Where there is no list of processes there are
 * no cages with a namespace of their own either.
 */
async function stop(makers: ReadonlySet<number>): Promise<readonly ListedProcess[]> {
  if (process.platform !== 'linux') return []
  const stopped = new Map<number, ListedProcess>()
  const wasStopped = new Set<number>()
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const all = listProcesses()
    const roots = new Map(all.filter(({ id }) => makers.has(id)).map((one) => [one.id, one]))
    const running = [...roots.values(), ...descendants(all, roots)].filter(({ id, isStopped }) => {
      if (isStopped && !stopped.has(id)) wasStopped.add(id)
      return !isStopped
    })
    if (running.length === 0) break
    for (const one of running) {
      if (!wasStopped.has(one.id)) stopped.set(one.id, one)
      send(one.id, 'SIGSTOP')
    }
    await wait(STEP)
  }
  return [...stopped.values()]
}
