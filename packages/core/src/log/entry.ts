import type { Block, Json, Logged, Usage } from './base.js'
import type { Edit } from './edit.js'

export type { Block, BlockRef, Id, Json, Logged, Span, Usage } from './base.js'

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
