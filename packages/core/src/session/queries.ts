import { type EventStream, eventStream, oneAtATime } from '../async.js'
import { NacreError } from '../errors.js'
import type { SessionEvent } from '../types/events.js'

/** What a session works on, one thing after the other. */
export interface Queries {
  /** Falls when the session closes. */
  readonly closing: AbortSignal
  /** Of the query that runs; between two of them nobody stops what goes on. */
  signal(): AbortSignal
  isRunning(): boolean
  /** Tells the query that runs of an event. */
  tell(event: SessionEvent): void
  /** Works when its turn comes. Gives the events; who leaves before the end stops the work. */
  run(work: QueryWork, signal?: AbortSignal): AsyncIterableIterator<SessionEvent>
  /** Runs when no query does: what a person changes is changed between two of them. The signal is for what waits long. */
  between<Result>(work: (closing: AbortSignal) => Promise<Result>): Promise<Result>
  /** Stops what runs and what waits; resolves when nothing runs any more. */
  stop(): Promise<void>
}

interface QueryWork {
  perform(signal: AbortSignal): Promise<unknown>
  /** Writes down what is left when nothing runs any more. Must not reject. */
  settle(): Promise<void>
}

export function createQueries(closing: AbortController): Queries {
  const inOrder = oneAtATime()
  const idle = new AbortController().signal
  let running: { readonly signal: AbortSignal; readonly stream: EventStream<SessionEvent> } | undefined

  async function work({ perform, settle }: QueryWork, signal: AbortSignal, stream: EventStream<SessionEvent>) {
    const hasBegun = !signal.aborted
    running = { signal, stream }
    try {
      await perform(signal)
    } finally {
      // The end is the last that the query tells; what is settled now is heard by the session's listeners.
      running = undefined
      // What was stopped before it began has nothing to write down, and the log may be closed by then.
      if (hasBegun) await settle()
      stream.end()
    }
  }

  return {
    closing: closing.signal,
    signal: () => running?.signal ?? idle,
    isRunning: () => running !== undefined,
    tell: (event) => running?.stream.push(event),
    run(asked, signal) {
      const own = new AbortController()
      const stop = (why: string) => own.abort(new NacreError('ABORTED', why))
      const stream = eventStream<SessionEvent>(() => stop('Nobody listened any more.'))
      const stopped = () => stop('Stopped by the caller.')
      const closed = () => stop('The session was closed.')
      signal?.addEventListener('abort', stopped, { once: true })
      closing.signal.addEventListener('abort', closed, { once: true })
      if (signal?.aborted) stopped()
      if (closing.signal.aborted) closed()
      void inOrder(() => work(asked, own.signal, stream)).finally(() => {
        signal?.removeEventListener('abort', stopped)
        closing.signal.removeEventListener('abort', closed)
      })
      return stream
    },
    between: (work) => inOrder(() => work(closing.signal)),
    async stop() {
      closing.abort()
      await inOrder(async () => undefined)
    },
  }
}
