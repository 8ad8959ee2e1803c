import { NacreError } from '../nacre-error.js'
import type { Timer } from './timer.js'

export interface CallLimits {
  readonly signal: AbortSignal
  /** Milliseconds; `Infinity` waits for ever. */
  readonly timeout: number
  readonly timer: Timer
}

/**
 * Waits for `call`, but not longer than its limits: rejects with HOOK_TIMEOUT or ABORTED. The call hears of both by its
 * own signal; what it still does after that is left alone, and a late throw goes nowhere.
 */
export async function callWithin<T>(limits: CallLimits, call: (signal: AbortSignal) => T): Promise<Awaited<T>> {
  const { signal, timeout, timer } = limits
  const aborted = () => new NacreError('ABORTED', 'Aborted while a hook ran.', { cause: signal.reason })
  if (signal.aborted) throw aborted()
  // Not AbortSignal.any: a session's signal may live for days, and must not gather one dependant for each call.
  const own = new AbortController()
  let onAbort = () => {}
  let cancel = () => {}
  const limit = new Promise<never>((_resolve, reject) => {
    // Rejects first, so that a call that throws when it hears of the end does not look like a failure of its own.
    const stop = (error: NacreError) => {
      reject(error)
      own.abort(error)
    }
    onAbort = () => stop(aborted())
    signal.addEventListener('abort', onAbort)
    const late = () => stop(new NacreError('HOOK_TIMEOUT', `no answer within ${timeout / 1000} s`))
    if (Number.isFinite(timeout)) cancel = timer(timeout, late)
  })
  try {
    return await Promise.race([limit, (async () => await call(own.signal))()])
  } finally {
    cancel()
    signal.removeEventListener('abort', onAbort)
  }
}
