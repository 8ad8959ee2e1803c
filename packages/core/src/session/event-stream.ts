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
