import type { AllowedPlace } from './allowed-place.js'

export interface WebOptions {
  /** What may be fetched although it is not public: hosts as `localhost:3000`, addresses, and ranges as `10.0.0.0/8`. */
  readonly allow?: readonly string[]
  /** Milliseconds for one call with all its redirects. 30,000 unless told. */
  readonly timeout?: number
  /** Bytes of one page, unpacked. 10 MB unless told. */
  readonly maxBytes?: number
  /** Milliseconds for which a page is kept. 15 minutes unless told, 0 for not at all. */
  readonly cacheTime?: number
  /** The time in milliseconds. */
  readonly now?: () => number
  /** Answers with all addresses of a host. That of the system unless told. */
  readonly resolve?: Resolve
}

export type Resolve = (host: string) => Promise<readonly string[]>

/** What decides where a request may go. */
export interface Bounds {
  readonly allowed: readonly AllowedPlace[]
  readonly resolve: Resolve
}
