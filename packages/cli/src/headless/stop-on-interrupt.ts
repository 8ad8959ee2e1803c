import { EXIT } from '../exit-codes.js'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first signal stops what runs, so that the session is kept; the second ends the process, and so does the first
 * where nothing could be kept yet. Gives the way to stop listening.
 */
export function stopOnInterrupt(controller: AbortController, isOpen: () => boolean): () => void {
  const stop = () => {
    if (controller.signal.aborted || !isOpen()) process.exit(EXIT.interrupted)
    controller.abort()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return () => {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}
