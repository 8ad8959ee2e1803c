export type Id = string
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** An API content block. Every word the model will ever read is in the log: rendering adds none. */
export interface Block {
  readonly type: string
  readonly [field: string]: unknown
}

/** Names a block for ever: by its entry, never by its place in a view. */
export interface BlockRef {
  readonly entry: Id
  readonly block: number
}

/** First and last entry, both included. Both ends are cut points of the log, so no set of edits can split a pair. */
export interface Span {
  readonly from: Id
  readonly to: Id
}

export interface Logged {
  readonly id: Id
  readonly time: number
}

/** Tokens by price class, and what they cost. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly dollars: number
}
