import { NacreError } from '../nacre-error.js'

/** Calls back after some time, unless what it returned was called before. */
export type Timer = (callback: () => void, milliseconds: number) => () => void

/** The machine's own timer. */
export const startTimer: Timer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds)
  return () => clearTimeout(timer)
}

/** Passes items on, and throws when the next one is too long in coming. */
export async function* withIdleTimeout<T>(
  source: AsyncIterable<T>,
  milliseconds: number,
  timer: Timer,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  while (true) {
    const result = await soon(iterator.next(), milliseconds, timer)
    if (result.done) return
    yield result.value
  }
}

function soon<T>(promise: Promise<T>, milliseconds: number, timer: Timer): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = timer(
      () => reject(new NacreError('NETWORK', `The stream was silent for ${milliseconds / 1_000} seconds.`)),
      milliseconds,
    )
    promise.then(resolve, reject).finally(cancel)
  })
}
