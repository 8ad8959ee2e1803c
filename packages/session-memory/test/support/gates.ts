/** Holds whoever comes until it is let through. */
export interface Gates {
  readonly gate: (signal: AbortSignal) => Promise<void>
  /** Waits for the next one to come, and gives the way to let it through. */
  next(): Promise<() => void>
  came(): number
  /** From here on nobody is held. */
  open(): void
}

export function createGates(): Gates {
  const arrived: (() => void)[] = []
  const awaited: ((open: () => void) => void)[] = []
  let came = 0
  let isOpen = false
  return {
    gate: (signal) =>
      new Promise<void>((resolve, reject) => {
        came += 1
        if (isOpen) return resolve()
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        const take = awaited.shift()
        if (take) take(resolve)
        else arrived.push(resolve)
      }),
    next: () =>
      new Promise((take) => {
        const open = arrived.shift()
        if (open) take(open)
        else awaited.push(take)
      }),
    came: () => came,
    open() {
      isOpen = true
      for (const open of arrived.splice(0)) open()
    },
  }
}
