import type { AskOptions, AskResult, ForkOptions, ForkResult } from './fork.js'
import type { Block, BlockRef, Change, Id, Receipt, Rung, Span, Usage } from './log.js'
import type { ModelInfo } from './model.js'
import type { Awaitable, Tool } from './tool.js'
import type { View } from './view.js'

export type Pressure = 'idle' | 'high' | 'overflow'

export interface Need {
  readonly pressure: Pressure
  /** Who asks, as the receipt will say. */
  readonly trigger: Receipt['trigger']
  readonly excess: number
  readonly target: number
  readonly instructions?: string
  /** What a person wants folded; all of the view unless told. */
  readonly part?: Part
  /**
   * What a fold may cover: all complete rounds, or the part that a person asked for. Unless a person asks, the last one
   * stays while it is small. `undefined` where there is nothing to fold.
   */
  foldable(): Span | undefined
  /** Real tokens for an estimate. */
  tokens(estimate: number): number
  /** What token figures are multiplied with: they are meant for a full window, and smaller ones scale them down. */
  readonly scale: number
  readonly model: ModelInfo
  readonly pace: Pace
  /** A tool of the session by its name. */
  tool(name: string): Tool | undefined
  readonly signal: AbortSignal
}

/** A part of the view: from the round of an entry on, or up to the round of one, which stays. */
export type Part = { readonly from: Id } | { readonly upTo: Id }

/** How fast a session goes, which decides what pays. */
export interface Pace {
  readonly tokensPerTurn: number
  /** Whether the cache has expired: then all will be written anew anyway. */
  readonly isCold: boolean
  readonly turnsExpected: number
  /** How long the cache keeps what is written. */
  readonly ttl: '5m' | '1h'
  /** Milliseconds since the last response. */
  readonly idle: number
}

/** A way to free context. `offer` may wait but changes nothing; `undefined` = nothing to offer. */
export interface Relief {
  readonly name: string
  readonly rung: Rung
  /** Whether a session can count on it for room, as the flags are now; on one whose rung folds it can unless told. */
  compacts?(): boolean
  offer(view: View, need: Need): Awaitable<Offer | undefined>
}

/** Void once the view has changed inside `span` since it was made. */
export interface Offer {
  readonly span: Span
  readonly frees: number
  readonly dollars: number
  /** Nothing has to be written to the cache again. */
  readonly keepsCache?: true
  /** Somebody has told when it is to be: it is made also where it does not pay. */
  readonly isDue?: true
  draft(plan: CompactPlan): Awaitable<Draft>
}

/** Not accepted yet: core restores, prices, checks and appends it at the next turn boundary, or refuses it with a reason. */
export interface Draft {
  readonly changes: readonly Change[]
  readonly reason: string
  readonly checks?: Receipt['checks']
  readonly spent?: Usage
  /** The instructions that it was made with, for the receipt. Those of the plan that are not among them are told as ignored. */
  readonly followed?: readonly string[]
  /** Of a fold that covers one finished piece of work: nothing is brought back with it, and nothing starts anew. */
  readonly isPiece?: true
}

/** What a draft is made with. */
export interface CompactPlan {
  /** The user's first, then those of `PreCompact`. */
  readonly instructions: readonly string[]
  readonly trigger: Receipt['trigger']
  readonly signal: AbortSignal
  /** What the next request would say, block by block, with where each comes from. */
  messages(): readonly ShownMessage[]
  /** Whether the next request would extend the last one that was answered to the byte, and so read it from the cache. */
  extendsAnswered(): boolean
  /** Whether the cache has a live entry that ends before that one, so that a fork can extend what stands there alone. */
  cachedUpTo(entry: Id): boolean
  fork(options: ForkOptions): Promise<ForkResult>
  ask(options: AskOptions): Promise<AskResult>
}

export interface ShownMessage {
  readonly role: 'user' | 'assistant' | 'system'
  readonly blocks: readonly ShownBlock[]
}

/** `ref` only where the block stands for one of the log; notes and what stands for a span have none. */
export interface ShownBlock {
  readonly block: Block
  readonly owner: string
  readonly ref?: BlockRef
}

/** Asked in parallel for each fold. Each has a budget of its own, all have one ceiling; `live` goes first. */
export interface Restorer {
  readonly name: string
  /** Served before all others, as what binds the work that goes on has to be: a plan, a list of what is left to do. */
  readonly isFirst?: true
  /**
   * The most that all it brings may take, in tokens of a full window; smaller windows scale it down. 25,000 unless told,
   * and for what is served first whatever the ceiling leaves.
   */
  readonly budget?: number
  restore(event: RestoreEvent): Awaitable<readonly (Restored | LeftOut)[]>
}

export interface RestoreEvent {
  readonly view: View
  readonly folded: Span
  /** Tokens of the model for all that it brings: its own budget, or what the fold has room for where that is less. */
  readonly budget: number
  readonly signal: AbortSignal
}

/** `consumed` and `reference` are worded so that nothing in them reads as an order. */
export interface Restored {
  readonly what: string
  readonly text: string
  readonly status: 'live' | 'consumed' | 'reference'
  /** What is shown of it where its text is cut already, such as 'lines 1 to 382 of 1,200'; for the receipt. */
  readonly cut?: string
  /**
   * Gives the text in so many tokens, as `estimateText` counts them, where there is room for no more. It should say what
   * is missing and where that is. Without it, or when it gives nothing, the item is left out.
   */
  shorten?(tokens: number): Pick<Restored, 'text' | 'cut'> | undefined
}

/** What a restorer leaves out by itself; for the receipt. */
export interface LeftOut {
  readonly what: string
  readonly why: string
}
