import { createWriteStream } from 'node:fs'
import { promptTokens } from '../answer/usage.js'
import type { InputUsage } from '../prompt/prompt-cache.js'
import type { Json } from '../wire/messages.js'

/** One request as it was billed. */
export interface LedgerEntry extends InputUsage {
  readonly time: number
  readonly requestId: string
  readonly messageId: string | null
  readonly source: string
  readonly model: string
  readonly status: number
  /** How it ended: a stop reason, an error's type, or what a fault did to it. */
  readonly end: string
  readonly output: number
  readonly dollars: number
}

export interface Totals extends InputUsage {
  readonly requests: number
  readonly failed: number
  readonly output: number
  readonly dollars: number
  /** The share of all input tokens that was read from the cache. */
  readonly hitRate: number
}

export interface Ledger {
  record(entry: LedgerEntry): void
  /** Everything, or one source's part of it. */
  totals(source?: string): Totals
  sources(): readonly string[]
  close(): Promise<void>
}

type Sums = { -readonly [Key in keyof Omit<Totals, 'hitRate'>]: Totals[Key] }

const empty = (): Sums => ({ requests: 0, failed: 0, read: 0, write5m: 0, write1h: 0, input: 0, output: 0, dollars: 0 })

/** Sums in memory, one by source; the entries themselves go to a file, so that memory does not grow with them. */
export function createLedger(path?: string): Ledger {
  const bySource = new Map<string, Sums>()
  const file = path === undefined ? undefined : createWriteStream(path, { flags: 'a' })
  let failure: Error | undefined
  file?.on('error', (error) => {
    failure = new Error(`The ledger can not be written to ${path}: ${error.message}`)
  })

  return {
    record(entry) {
      const sums = bySource.get(entry.source) ?? empty()
      bySource.set(entry.source, sums)
      add(sums, entry)
      file?.write(`${JSON.stringify(entry)}\n`)
    },
    totals(source) {
      const sums = empty()
      for (const [name, part] of bySource) if (source === undefined || source === name) merge(sums, part)
      const prompt = promptTokens(sums)
      return { ...sums, hitRate: prompt === 0 ? 0 : sums.read / prompt }
    },
    sources: () => [...bySource.keys()],
    async close() {
      if (file && !failure) await new Promise<void>((resolve) => file.end(resolve))
      if (failure) throw failure
    },
  }
}

function add(sums: Sums, entry: LedgerEntry): void {
  sums.requests += 1
  sums.failed += entry.status === 200 ? 0 : 1
  sums.read += entry.read
  sums.write5m += entry.write5m
  sums.write1h += entry.write1h
  sums.input += entry.input
  sums.output += entry.output
  sums.dollars += entry.dollars
}

function merge(sums: Sums, part: Sums): void {
  for (const key of Object.keys(sums) as (keyof Sums)[]) sums[key] += part[key]
}

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
  notify(exchange: () => Exchange): void
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
    notify(exchange) {
      if (observers.size === 0) return
      const answered = exchange()
      for (const observer of observers) observer(answered)
    },
  }
}
