import { type EventStream, eventStream, oneAtATime, type Timer } from '../async.js'
import { NacreError } from '../errors.js'
import type { LeftBehind, SessionEvent } from '../types/events.js'
import { describeLeft } from './underway.js'

/** What a session works on, one thing after the other. */
export interface Queries {
  /** Falls when the session closes. */
  readonly closing: AbortSignal
  /** Of the query that runs; between two of them nobody stops what goes on. */
  signal(): AbortSignal
  isRunning(): boolean
  /** Tells the query that runs of an event; whether anybody still waits for it. */
  tell(event: SessionEvent): boolean
  /** Works when its turn comes. Gives the events; who leaves before the end stops the work. */
  run(work: QueryWork, signal?: AbortSignal): AsyncIterableIterator<SessionEvent>
  /** Runs when no query does: what a person changes is changed between two of them. The signal is for what waits long. */
  between<Result>(work: (closing: AbortSignal) => Promise<Result>): Promise<Result>
  /** Stops what runs and what waits; resolves when nothing runs any more, or what does had to be left. */
  stop(): Promise<void>
}

interface QueryWork {
  perform(signal: AbortSignal): Promise<unknown>
  /** Writes down what is left when nothing runs any more. Must not reject. */
  settle(): Promise<void>
}

interface QueriesContext {
  readonly closing: AbortController
  readonly timer: Timer
  /** What has not ended. */
  left(): readonly LeftBehind[]
  /** Tells everybody of an event, the query that runs too. */
  tell(event: SessionEvent): void
}

/** How long a query that was stopped may take to write down what it has. What hangs is left to itself after that. */
const GRACE = 5_000

interface Running {
  readonly signal: AbortSignal
  readonly stream: EventStream<SessionEvent>
  hasToldEnd: boolean
  isLeft: boolean
}

export function createQueries({ closing, timer, left, tell }: QueriesContext): Queries {
  const inOrder = oneAtATime()
  const idle = new AbortController().signal
  let running: Running | undefined
  /** The same, and still when it only writes down what is left. */
  let current: Running | undefined
  let leave = () => {}
  const hasLeft = new Promise<void>((resolve) => (leave = resolve))

  /** What was left behind still holds the log: nothing may run beside it. */
  const stuck = () => {
    if (!current?.isLeft) return undefined
    const message = `What was stopped has not ended yet: ${describeLeft(left())}. Close the session and resume it, or wait.`
    return new NacreError('SESSION_BUSY', message)
  }
  async function work({ perform, settle }: QueryWork, signal: AbortSignal, stream: EventStream<SessionEvent>) {
    const hasBegun = !signal.aborted
    const own: Running = { signal, stream, hasToldEnd: false, isLeft: false }
    running = own
    current = own
    try {
      await perform(signal)
    } finally {
      // The end is the last that the query tells; what is settled now is heard by the session's listeners.
      running = undefined
      // What was stopped before it began has nothing to write down, and the log may be closed by then.
      if (hasBegun && !own.isLeft) await settle()
      current = undefined
      stream.end()
    }
  }
  /** Ends a query that was stopped and does not end by itself. */
  const giveUp = (stream: EventStream<SessionEvent>) => {
    const end: SessionEvent = { type: 'end', reason: 'aborted', left: left() }
    // One that waits for its turn is heard by nobody else.
    if (current?.stream !== stream) stream.push(end)
    else {
      if (!current.hasToldEnd) tell(end)
      current.isLeft = true
      leave()
    }
    stream.end()
  }

  return {
    closing: closing.signal,
    // What was left behind was told long ago; what is asked at the close is not its business.
    signal: () => (running && !running.isLeft ? running.signal : idle),
    isRunning: () => running !== undefined,
    tell(event) {
      if (running?.isLeft) return false
      if (running && event.type === 'end') running.hasToldEnd = true
      running?.stream.push(event)
      return true
    },
    run(asked, signal) {
      const stream = eventStream<SessionEvent>(() => stop('Nobody listened any more.'))
      const error = stuck()
      const { stop, ...own } = stoppable(timer, () => giveUp(stream))
      if (error) {
        stream.push({ type: 'end', reason: 'error', error })
        stream.end()
        return stream
      }
      if (signal) own.stopBy(signal, 'Stopped by the caller.')
      own.stopBy(closing.signal, 'The session was closed.')
      void inOrder(() => work(asked, own.signal, stream)).finally(own.end)
      return stream
    },
    async between(work) {
      const error = stuck()
      if (error) throw error
      return inOrder(() => work(closing.signal))
    },
    async stop() {
      closing.abort()
      await Promise.race([inOrder(async () => undefined), hasLeft])
    },
  }
}

/** Work that can be stopped, in several ways; `late` is called where it has not ended some time after that. */
function stoppable(timer: Timer, late: () => void) {
  const controller = new AbortController()
  const undo: (() => void)[] = []
  const stop = (why: string) => {
    if (controller.signal.aborted) return
    undo.push(timer(GRACE, late))
    controller.abort(new NacreError('ABORTED', why))
  }
  return {
    signal: controller.signal,
    stop,
    stopBy(signal: AbortSignal, why: string) {
      const listener = () => stop(why)
      signal.addEventListener('abort', listener, { once: true })
      undo.push(() => signal.removeEventListener('abort', listener))
      if (signal.aborted) listener()
    },
    end() {
      for (const each of undo) each()
    },
  }
}
