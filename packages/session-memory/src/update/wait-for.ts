import type { Timer } from '@nacre/core'

export interface WaitLimits {
  readonly milliseconds: number
  readonly timer: Timer
  readonly signal: AbortSignal
}

/** Waits for work that never rejects, but no longer than its limits. */
export async function waitFor(work: Promise<void>, { milliseconds, timer, signal }: WaitLimits): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const cancel = timer(milliseconds, resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    void work.finally(() => {
      cancel()
      resolve()
    })
  })
}
