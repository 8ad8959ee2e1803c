import type { Edit } from './edit.js'

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

/** A prompt, or the result of ONE call, appended when that call ends; rendering joins and orders the results of a round. */
export interface UserEntry extends Logged {
  readonly kind: 'user'
  readonly content: readonly Block[]
  readonly isMeta?: true
}

/** One whole response. `prefix` is the hash of the request that was sent for it, whatever the view is when it arrives. */
export interface AssistantEntry extends Logged {
  readonly kind: 'assistant'
  readonly content: readonly Block[]
  readonly model: string
  readonly messageId: string
  readonly usage: Usage
  readonly stop: string
  readonly prefix: string
}

/** A small fact that survives a resume. The last one in view wins: a rewind takes state back too. */
export interface StateEntry extends Logged {
  readonly kind: 'state'
  readonly owner: string
  readonly key: string
  readonly value: Json
}

/** For people; never in the view. */
export interface NoticeEntry extends Logged {
  readonly kind: 'notice'
  readonly owner: string
  readonly level: 'info' | 'warning' | 'error'
  readonly text: string
}

export type MessageEntry = UserEntry | AssistantEntry
export type Entry = MessageEntry | Edit | StateEntry | NoticeEntry

/** Tokens by price class, and what they cost. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly dollars: number
}
