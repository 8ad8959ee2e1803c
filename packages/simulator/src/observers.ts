import type { LedgerEntry } from './ledger.js'
import type { Json } from './wire.js'

/** A request to `/v1/messages` that has been answered. */
export interface Exchange {
  readonly entry: LedgerEntry
  /** The body as it came, to the byte. */
  readonly body: string
  /** The whole message, also where it was streamed; `null` for an error. */
  readonly response: Json
}

export type Observer = (exchange: Exchange) => void

export interface Observers {
  add(observer: Observer): () => void
  /** The exchange is put together only if someone listens. */
  tell(exchange: () => Exchange): void
}

export function createObservers(): Observers {
  const observers = new Set<Observer>()
  return {
    add(observer) {
      observers.add(observer)
      return () => {
        observers.delete(observer)
      }
    },
    tell(exchange) {
      if (observers.size === 0) return
      const told = exchange()
      for (const observer of observers) observer(told)
    },
  }
}
