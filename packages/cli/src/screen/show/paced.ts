/** Work that is repeated often, and takes no more than a small part of the time. */
export interface Paced {
  /** At once where the last time was quick, and soon where it was not. */
  soon(): void
  stop(): void
}

const PART = 8
const LONGEST_MS = 1_000

export function paced(work: () => void): Paced {
  let timer: NodeJS.Timeout | undefined
  let rest = 0
  const run = () => {
    timer = undefined
    const start = performance.now()
    work()
    rest = start + (performance.now() - start) * PART
  }
  return {
    soon() {
      if (timer) return
      const wait = Math.min(LONGEST_MS, rest - performance.now())
      if (wait <= 0) run()
      else timer = setTimeout(run, wait)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
