import type { OutputRecord } from './output-record.js'
import { drained, pump } from './pump.js'
import type { ShellTime } from './shell-options.js'
import type { ProcessEnd, ShellProcess } from './start-process.js'
import { wordTime } from './word-end.js'

/** How a command came to its end, by itself or not. */
export interface Ending {
  readonly stopped?: 'timeout' | 'aborted'
  /** By itself. */
  readonly end?: ProcessEnd
  /** What it had left running, and was ended with it. */
  readonly left: readonly string[]
  /** Whether something could not be ended. */
  readonly goesOn: boolean
  readonly folder?: string
}

export interface Running {
  readonly record: OutputRecord
  readonly timeout: number
  readonly signal: AbortSignal
  readonly time: ShellTime
  progress(text: string): void
}

const PROGRESS_EVERY = 1_000
const PROGRESS_CHARS = 200

/** Waits until a command ends, its time is up or its call is aborted. Nothing of its session runs any more afterwards. */
export async function runProcess(process: ShellProcess, running: Running): Promise<Ending> {
  const { record, time } = running
  const over = new AbortController()
  const pumped = pump(process.output, (chunk) => record.add(chunk))
  void tellProgress(running, over.signal)
  try {
    const first = await Promise.race([process.ended, stopOf(running, over.signal)])
    over.abort()
    const isStopped = typeof first === 'string'
    const left = isStopped ? [] : process.left()
    const isAllEnded = !isStopped && left.length === 0 ? true : await process.end(isStopped ? 'all' : 'session')
    await drained(Promise.all([pumped, process.folder]), time)
    process.release()
    await pumped
    const folder = await process.folder
    const how = isStopped ? { stopped: first } : { end: first, ...(folder && { folder }) }
    return { ...how, left, goesOn: !isAllEnded }
  } finally {
    over.abort()
    process.release()
  }
}

/** Resolves when somebody or the clock wants an end of it; never once it is over. */
function stopOf({ timeout, signal, time }: Running, over: AbortSignal): Promise<'timeout' | 'aborted'> {
  return new Promise((resolve) => {
    Promise.resolve(time.wait(timeout, over)).then(
      () => resolve('timeout'),
      () => undefined,
    )
    signal.addEventListener('abort', () => resolve('aborted'), { once: true, signal: over })
    if (signal.aborted) resolve('aborted')
  })
}

async function tellProgress({ record, time, progress }: Running, over: AbortSignal): Promise<void> {
  const start = time.now()
  try {
    for (;;) {
      await time.wait(PROGRESS_EVERY, over)
      if (over.aborted) return
      progress(`${wordTime(time.now() - start)} ${record.lastLine().slice(-PROGRESS_CHARS)}`.trim())
    }
  } catch {
    // It is over.
  }
}
