import type { Block, BlockRef, Epoch, Json, Usage } from './log.js'

/** Outside of system, tools and messages; recorded with the response. */
export interface CallFields {
  readonly maxTokens?: number
  readonly metadata?: Json
  readonly extra?: { readonly [key: string]: Json }
}

/** What is sent: bytes in the order the cache reads them. `messages` carry their markers. */
export interface Request {
  readonly model: string
  readonly epoch: Epoch
  readonly messages: readonly Json[]
  readonly fields: CallFields
  readonly prefix: string
  /** Blocks of the messages that the server has to leave out; only for models that can `context-management`. */
  readonly erased?: readonly BlockPosition[]
}

/** A block by its place in the messages of a request. */
export interface BlockPosition {
  readonly message: number
  readonly block: number
}

/** Never retries by itself; throws only classified errors. A stream that ends without `end` was cut. */
export interface Model {
  readonly info: ModelInfo
  stream(request: Request, signal: AbortSignal): AsyncIterable<ModelEvent>
  count?(request: Request, signal: AbortSignal): Promise<number>
}

/**
 * What a model can do beside answering. `context-management`: it leaves out what a request names as erased.
 * `cache-edits`: it takes blocks that delete results from its cache, and its results carry references. `server-tools`: its
 * server runs tools by itself, such as a search of the web.
 */
export type Capability =
  | 'system-messages'
  | 'tool-changes'
  | 'deferred-tools'
  | 'context-management'
  | 'compaction'
  | 'cache-edits'
  | 'diagnostics'
  | 'server-tools'
  /** Thinks unless it is told not to, and can be told. */
  | 'thinking-off'

export interface ModelInfo {
  readonly id: string
  readonly window: number
  readonly maxOutput: number
  readonly cacheMinimum: number
  /** `bound`: valid only on the prefix it was made on. `kept`: sent always. `turn`: of the current tool turn only. */
  readonly thinking: 'bound' | 'kept' | 'turn' | 'none'
  readonly can: ReadonlySet<Capability>
  /** Dollars for a million tokens; may depend on the size of the whole prompt. */
  price(promptTokens: number): Prices
  /** What its provider knows of a model by name. Without it a name stands for itself alone. */
  kin?(name: string): ModelKin
}

/** A model as another one sees it. */
export interface ModelKin {
  /** Names of one model, with or without a date, have one key: they share a cache. */
  readonly key: string
  /** Tokens for each token of the estimate. */
  readonly tokenFactor: number
  /** Whether thinking that it wrote can be read. */
  readonly isRead: boolean
}

export interface Prices {
  readonly input: number
  readonly output: number
  readonly read: number
  readonly write5m: number
  readonly write1h: number
  /** Dollars for one search of the web by the server. */
  readonly webSearch?: number
}

export type ModelEvent =
  /** `usage`: what is billed even if no more comes, where the server tells. */
  | { readonly type: 'start'; readonly messageId: string; readonly usage?: Usage }
  | { readonly type: 'delta'; readonly index: number; readonly block: Block }
  /** `problem`: why a call can not run, where its input could not be read. */
  | { readonly type: 'block'; readonly index: number; readonly block: Block; readonly problem?: string }
  | ModelEnd

export interface ModelEnd {
  readonly type: 'end'
  readonly stop: string
  readonly usage: Usage
  readonly thinkingDropped: readonly BlockRef[]
  /** The same as a server names it: `messages.N.content.M` of the request that was sent. */
  readonly droppedPaths?: readonly string[]
  /** Every token that was billed, where that is more than the context. */
  readonly billed?: Usage
  /** Tokens that are deleted from the cached prefix, all together, where the server tells. */
  readonly deleted?: number
}
