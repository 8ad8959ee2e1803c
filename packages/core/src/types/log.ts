/** A prompt, or the result of ONE call, appended when that call ends; rendering joins and orders the results of a round. */
export interface UserEntry extends Logged {
  readonly kind: 'user'
  readonly content: readonly Block[]
  readonly isMeta?: true
  /** What a command of the person printed, and not what the person said. */
  readonly isOutput?: true
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

/** One thing that an edit does to the view. */
export type Change = Replace | Fold | Drop | Insert | Erase | Revert | Renew

/** The content of one block by other content; the last one in force wins. */
export interface Replace {
  readonly kind: 'replace'
  readonly target: BlockRef
  readonly content: readonly Block[]
  /** Honoured also where the log itself is read: recall, forks, export. */
  readonly redacts?: true
}

/** A span of rounds by summary content. */
export interface Fold {
  readonly kind: 'fold'
  readonly span: Span
  readonly content: readonly Block[]
  readonly epoch?: Epoch
  /** The prefix hash that it stands for: a summary signed by the server keeps thinking valid behind it. */
  readonly as?: string
}

/** A span by a one-line note. Without a note it is a rewind, and only goes up to the end. */
export interface Drop {
  readonly kind: 'drop'
  readonly span: Span
  readonly note?: string
  /** Of a clear: the session begins anew, with sections worked out anew. */
  readonly epoch?: Epoch
}

/** A note at the end of the user turn in which it falls. */
export interface Insert {
  readonly kind: 'insert'
  readonly note: Note
}

/** Nothing in the bytes: the block is deleted on the server by reference. */
export interface Erase {
  readonly kind: 'erase'
  readonly target: BlockRef
}

/** Takes another edit back. In force = no revert of it is in force. */
export interface Revert {
  readonly kind: 'revert'
  readonly edit: Id
}

/** Other system and tool bytes from here on, with all that was said as it is. Only for whoever uses the session. */
export interface Renew {
  readonly kind: 'renew'
  readonly epoch: Epoch
}

/** One decision of one owner: accepted or refused whole, taken back whole. */
export interface Edit extends Logged {
  readonly kind: 'edit'
  readonly owner: string
  readonly reason: string
  readonly changes: readonly Change[]
  readonly price: Price
  readonly receipt?: Receipt
}

/** Measured by core on the view before and after, never claimed by the owner. In tokens of the model, as the view has them. */
export interface Price {
  readonly freed: number
  readonly dollars: number
  readonly breaksAt: number | null
  readonly thinkingLost: number
  /** What sizes are worked out from: what went and the whole that is left, by estimate. Without it `freed` is an estimate too. */
  readonly estimated?: { readonly freed: number; readonly left: number }
  /** Of a fold at the beginning: the size of the view with it, of which nothing has been counted yet. */
  readonly size?: number
}

/** System and tool bytes in force from a fold, a clear or a renewal on; reverting that brings back the ones before. */
export interface Epoch {
  readonly system: readonly Block[]
  readonly tools: readonly Json[]
}

/**
 * Text for the model. Only text written by the runtime may be `runtime`; files, memories, hook output, MCP and web
 * text are `content` and never get the system role.
 */
export interface Note {
  readonly text: string
  readonly trust: 'runtime' | 'content'
  readonly tag?: string
  /** A tool result that the note becomes a part of. */
  readonly inside?: BlockRef
  /** A tool that comes in with it, as bytes: shown where the model takes one in the middle of a conversation. */
  readonly tool?: Json
}

/** What is lost, in rising order. */
export type Rung = 'erase' | 'clear' | 'notes' | 'summary' | 'digest'

/** What a fold kept, summarised, restored, and cost. */
export interface Receipt {
  readonly trigger: 'auto' | 'manual' | 'overflow'
  readonly rung: Rung
  readonly covers: Span
  readonly undo: Id
  readonly tokens: { readonly before: number; readonly after: number }
  readonly messages: ReceiptMessages
  readonly dollars: { readonly spent: number; readonly rewrite: number }
  readonly restored: readonly RestoredItem[]
  /** What could have come back and did not. Logs of earlier versions do not tell. */
  readonly leftOut?: readonly LeftOutItem[]
  readonly rules: readonly Rule[]
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail?: string }[]
  /** `before`: the fold before it that is in force. */
  readonly chain: { readonly count: number; readonly turnsSince: number; readonly before?: Id }
  /** Instructions that came too late, or that this way can not follow. */
  readonly ignored?: string
  /** Instructions that the model was given for what stands there now. */
  readonly followed?: readonly string[]
  /** Who asked. A log of an earlier version does not say, nor does it have the threshold. */
  readonly asked?: Asked
  /** The size above which the session compacts by itself, as it was then. */
  readonly threshold?: number
}

/** Who asked for a fold, in which conversation. */
export interface Asked {
  /** The runtime by itself, a person, a program by the API of the session, or a plugin from its background work. */
  readonly by: 'auto' | 'person' | 'api' | 'plugin'
  readonly source: string
}

/** Messages of the log by what became of them. */
export interface ReceiptMessages {
  /** Those that the fold stands for. */
  readonly folded: number
  /** Those that stay in view. */
  readonly kept: number
  /** Those in the span that had been dropped before: nothing stands for them any more. */
  readonly dropped: number
}

/** A file whose words stand in the system prompt, as it was when they were read. */
export interface Rule {
  readonly path: string
  readonly hash: string
}

export interface RestoredItem {
  readonly what: string
  readonly status: 'live' | 'consumed' | 'reference'
  readonly owner: string
  readonly tokens: number
  /** What of it is shown, where it was cut. */
  readonly cut?: string
}

/** What a fold did not bring back, and why. */
export interface LeftOutItem {
  readonly what: string
  readonly owner: string
  readonly why: string
}
