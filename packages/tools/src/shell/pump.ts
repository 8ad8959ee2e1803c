import type { ShellTime } from './shell-options.js'

/** Who still has the output open after this many milliseconds has made himself a daemon, and is not waited for. */
const DRAIN = 1_000

/** Hands on what a process writes, chunk by chunk, until it ends or is released. Never rejects. */
export async function pump(
  output: AsyncIterable<Uint8Array>,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  try {
    for await (const chunk of output) await take(chunk)
  } catch {
    // Released while somebody still had it open.
  }
}

/** Waits for work that ends by itself as soon as nobody has the output open any more, but not for long. */
export async function drained(work: Promise<unknown>, time: ShellTime): Promise<void> {
  const stop = new AbortController()
  const patience = Promise.resolve(time.wait(DRAIN, stop.signal)).catch(() => undefined)
  await Promise.race([work, patience])
  stop.abort()
}
