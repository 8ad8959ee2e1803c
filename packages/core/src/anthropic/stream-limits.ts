import type { Timer } from '../async.js'
import { NacreError } from '../errors.js'
import type { RawEvent } from './read-stream.js'

/** How long a server may take, in milliseconds. The SDK has no limit once the headers are there. */
export interface StreamLimits {
  /** For the headers of an answer, and for an error as a whole. */
  readonly headers: number
  /** Between two events of any kind. */
  readonly idle: number
  /** Between two events that bring something of the answer. Thinking that is not shown brings nothing but pings. */
  readonly progress: number
  readonly timer: Timer
}

/** Events whose names are known and that are no pings; everything else may come for ever. */
const OF_AN_ANSWER: ReadonlySet<string | null> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
])
const EMPTY_PIECE = /"(?:text|thinking|partial_json)":\s*""/
/** Characters of events: three times what 300,000 tokens take, each in an event of its own. */
const MOST = 128 * 1024 * 1024

/** Passes the events of a stream on, and throws where it is silent, brings nothing, or does not end. */
export async function* withLimits(source: AsyncIterable<RawEvent>, limits: StreamLimits): AsyncGenerator<RawEvent> {
  const { idle, progress, timer } = limits
  let isStuck = false
  let size = 0
  const arm = () => timer(progress, () => (isStuck = true))
  let cancel = arm()
  try {
    for await (const event of withIdleTimeout(source, idle, timer)) {
      size += event.data.length
      if (size > MOST)
        throw new NacreError('STREAM_CUT', 'The stream brought more than an answer can hold, and no end.')
      if (OF_AN_ANSWER.has(event.event) && !EMPTY_PIECE.test(event.data)) {
        cancel()
        cancel = arm()
      } else if (isStuck) {
        throw new NacreError('NETWORK', `The stream brought nothing of an answer for ${progress / 60_000} minutes.`)
      }
      yield event
    }
  } finally {
    cancel()
  }
}

/** Passes items on, and throws when the next one is too long in coming. */
export async function* withIdleTimeout<T>(
  source: AsyncIterable<T>,
  milliseconds: number,
  timer: Timer,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  const silent = `The stream was silent for ${milliseconds / 1_000} seconds.`
  while (true) {
    const result = await within(iterator.next(), silent, milliseconds, timer)
    if (result.done) return
    yield result.value
  }
}

/** What is promised, if it comes in time; else a NETWORK error that says `late`. */
export function within<T>(promise: Promise<T>, late: string, milliseconds: number, timer: Timer): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = timer(milliseconds, () => reject(new NacreError('NETWORK', late)))
    promise.then(resolve, reject).finally(cancel)
  })
}
