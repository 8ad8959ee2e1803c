import { NacreError } from './errors.js'

/** Runs what it is given in order, each after the one before has ended, however that ended. */
export function oneAtATime(): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const next = last.then(run, run)
    last = next.catch(() => undefined)
    return next
  }
}

/** Events that are told as they come and heard when somebody asks: a slow listener holds nobody up. */
export interface EventStream<Event> extends AsyncIterableIterator<Event> {
  push(event: Event): void
  end(): void
}

/** `left` is called when the listener leaves before the end. */
export function eventStream<Event>(left: () => void): EventStream<Event> {
  const waiting: Event[] = []
  let asked: ((result: IteratorResult<Event>) => void)[] = []
  let hasEnded = false
  const done = { done: true, value: undefined } as const
  return {
    push(event) {
      if (hasEnded) return
      const next = asked.shift()
      if (next) next({ done: false, value: event })
      else waiting.push(event)
    },
    end() {
      hasEnded = true
      for (const next of asked) next(done)
      asked = []
    },
    async next() {
      const event = waiting.shift()
      if (event !== undefined) return { done: false, value: event }
      if (hasEnded) return done
      return new Promise((resolve) => asked.push(resolve))
    },
    async return() {
      if (!hasEnded) left()
      waiting.length = 0
      hasEnded = true
      return done
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const heard = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `hear` when the signal falls, until the function that it gives is called. Many that wait for one signal share a
 * listener: more than ten of one's own are taken for a leak. Not AbortSignal.any: a session's signal may live for days,
 * and must not gather one dependant for each call.
 */
export function onAbort(signal: AbortSignal, hear: () => void): () => void {
  const all = heard.get(signal) ?? new Set()
  if (!heard.has(signal)) {
    heard.set(signal, all)
    const tell = () => {
      for (const each of [...all]) each()
    }
    signal.addEventListener('abort', tell, { once: true })
  }
  all.add(hear)
  return () => void all.delete(hear)
}

interface CallLimits {
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
  const own = new AbortController()
  let stopHearing = () => {}
  let cancel = () => {}
  const limit = new Promise<never>((_resolve, reject) => {
    // Rejects first, so that a call that throws when it hears of the end does not look like a failure of its own.
    const stop = (error: NacreError) => {
      reject(error)
      own.abort(error)
    }
    stopHearing = onAbort(signal, () => stop(aborted()))
    const late = () => stop(new NacreError('HOOK_TIMEOUT', `no answer within ${timeout / 1000} s`))
    if (Number.isFinite(timeout)) cancel = timer(timeout, late)
  })
  try {
    return await Promise.race([limit, (async () => await call(own.signal))()])
  } finally {
    cancel()
    stopHearing()
  }
}

/** The same events until the signal falls: then it rejects at once, whether the source listens to that signal or not. */
export async function* untilAborted<Event>(source: AsyncIterable<Event>, signal: AbortSignal): AsyncGenerator<Event> {
  const events = source[Symbol.asyncIterator]()
  let stopHearing = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(signal.reason)
    stopHearing = onAbort(signal, stop)
    if (signal.aborted) stop()
  })
  aborted.catch(() => undefined)
  try {
    for (;;) {
      const next = await Promise.race([events.next(), aborted])
      if (next.done) return
      yield next.value
    }
  } finally {
    stopHearing()
    // Not awaited: what hangs does not hear of this either.
    void events.return?.()?.then(undefined, () => undefined)
  }
}

/** Calls `fire` once after that time, unless the returned function is called first. Tests pass their own. */
export type Timer = (milliseconds: number, fire: () => void) => () => void

export const realTimer: Timer = (milliseconds, fire) => {
  const handle = setTimeout(fire, milliseconds)
  return () => clearTimeout(handle)
}

/** Throws where a store is asked by somebody who has been stopped. */
export function mustGoOn(signal: AbortSignal): void {
  if (signal.aborted) throw new NacreError('ABORTED', 'Stopped before the store was asked.', { cause: signal.reason })
}

/** Whether what was answered is `true` and nothing else. A promise came where none is waited for: it is no yes, and its failure goes nowhere. */
export function isYes(answer: unknown): boolean {
  if (answer !== true) leaveAlone(answer)
  return answer === true
}

/** Takes a value that may be a promise which nobody waits for. */
export function leaveAlone(value: unknown): void {
  Promise.resolve(value).catch(() => undefined)
}
