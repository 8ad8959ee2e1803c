import { oneAtATime } from '../async/one-at-a-time.js'
import type { Prompt } from '../contract/hooks.js'
import { coreState } from '../log/core-state.js'
import type { SessionEvent } from '../loop/events.js'
import { query } from '../loop/query.js'
import { NacreError } from '../nacre-error.js'
import { createAgent } from './create-agent.js'
import { type EventStream, eventStream } from './event-stream.js'
import type { Runtime } from './runtime.js'

/** What a session works on, one thing after the other. */
export interface Queries {
  run(prompt: Prompt | undefined, signal?: AbortSignal): AsyncIterableIterator<SessionEvent>
  /** Runs when no query does: what a person changes is changed between two of them. The signal is for what waits long. */
  between<Result>(work: (closing: AbortSignal) => Promise<Result>): Promise<Result>
  /** Stops what runs and what waits; resolves when nothing runs any more. */
  stop(): Promise<void>
}

/** `hearing` is told which stream the session's events belong to. */
export function createQueries(
  runtime: Runtime,
  closing: AbortController,
  hearing: (stream: EventStream<SessionEvent> | undefined) => void,
): Queries {
  const inOrder = oneAtATime()
  const { status } = runtime

  async function work(prompt: Prompt | undefined, own: AbortController, stream: EventStream<SessionEvent>) {
    const idle = status.signal
    const hasBegun = !own.signal.aborted
    hearing(stream)
    status.signal = own.signal
    status.isRunning = true
    try {
      await query(createAgent(runtime, own.signal), prompt)
    } finally {
      status.isRunning = false
      status.signal = idle
      // The end is the last that the query tells; what is settled now is heard by the session's listeners.
      hearing(undefined)
      // What was stopped before it began has nothing to write down, and the log may be closed by then.
      if (hasBegun) await settle(runtime).catch((error: unknown) => runtime.report(error as NacreError))
      stream.end()
    }
  }

  return {
    run(prompt, signal) {
      const own = new AbortController()
      const stop = (why: string) => own.abort(new NacreError('ABORTED', why))
      const stream = eventStream<SessionEvent>(() => stop('Nobody listened any more.'))
      const stopped = () => stop('Stopped by the caller.')
      const closed = () => stop('The session was closed.')
      signal?.addEventListener('abort', stopped, { once: true })
      closing.signal.addEventListener('abort', closed, { once: true })
      if (signal?.aborted) stopped()
      if (closing.signal.aborted) closed()
      void inOrder(() => work(prompt, own, stream)).finally(() => {
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

/** Between two queries: proposals are answered, and what was spent is written down. */
async function settle(runtime: Runtime): Promise<void> {
  await runtime.background.settle()
  await runtime.notes.flush()
  await keepSpent(runtime)
}

/** Writes down what was spent, unless the log has it: background work may end long after the query that it belongs to. */
export async function keepSpent({ accounts, conversation, view }: Runtime): Promise<void> {
  const spent = accounts.ledger().state()
  if (JSON.stringify(spent) === JSON.stringify(view().state('core', 'spent') ?? {})) return
  await conversation.append(coreState('spent', spent))
}
