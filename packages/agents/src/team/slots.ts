/** How many may work at the same time. The others wait in order. */
export interface Slots {
  /** Resolves to what lets the next one in; rejects with the reason of the signal where that comes first. */
  enter(signal: AbortSignal): Promise<() => void>
}

/** Made here because a place in the line has to be given up the moment its agent is stopped, which queues in packages do not do. */
export function createSlots(count: number): Slots {
  let free = count
  const line: (() => void)[] = []
  const leave = () => {
    const next = line.shift()
    if (next) next()
    else free += 1
  }
  const once = (work: () => void) => {
    let isDone = false
    return () => {
      if (!isDone) work()
      isDone = true
    }
  }
  return {
    async enter(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        return once(leave)
      }
      await new Promise<void>((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', giveUp)
          resolve()
        }
        const giveUp = () => {
          line.splice(line.indexOf(enter), 1)
          reject(signal.reason)
        }
        line.push(enter)
        signal.addEventListener('abort', giveUp, { once: true })
      })
      return once(leave)
    },
  }
}
