import type { Block, Id, Json, Usage } from './log.js'
import type { Model } from './model.js'
import type { Tool, ToolCall } from './tool.js'

export type Source =
  | 'main'
  | 'compact'
  | 'session_memory'
  | 'extract_memories'
  | 'dream'
  | `agent:${string}`
  | (string & {})

/** Asks something on the shared prefix of a session, beside it. Tools, thinking, effort and tool_choice never change. */
export interface ForkOptions {
  readonly source: Source
  readonly prompt: readonly Block[]
  readonly maxTurns: number
  /**
   * What it extends, to the byte. `answered` (the default): the last request and its response; open calls get
   * placeholder results. `view`: the request that would be sent next; only between two requests. `prompt`: the system
   * prompt and the tools alone, for long work that has nothing to do with the conversation; it caches what it says itself.
   */
  readonly extends?: 'answered' | 'view' | 'prompt'
  /**
   * Extends only what stands before this entry, of the request that was answered. Where the cache has no live entry that
   * ends there it is refused: `CompactPlan.cachedUpTo` tells.
   */
  readonly upTo?: Id
  /** Judges calls. */
  allow(call: ToolCall, tool: Tool): boolean
  /** Goes on when the query in which it began is over or stopped: only `signal` stops it. For work that was deferred. */
  readonly isDetached?: true
  /** Another model than the session's. It has a cache of its own, so nothing is read from the shared one. */
  readonly model?: Model
  readonly signal?: AbortSignal
}

/** A single question without tools, beside the conversation. It is tried again after what passes by itself. */
export interface AskOptions {
  readonly source: Source
  /** Messages of its own; the request that would be sent next unless given. */
  readonly messages?: readonly Json[]
  /** With messages of its own only. */
  readonly system?: string
  readonly maxTokens?: number
  /** Fields of the request beside those that the session sends; `betas` adds to them, `null` leaves one out. */
  readonly extra?: { readonly [key: string]: Json }
  readonly signal?: AbortSignal
}

export interface AskResult {
  readonly content: readonly Block[]
  /** The texts of the answer. */
  readonly text: string
  readonly stop: string
  readonly usage: Usage
  /** The hash of what was sent, for a fold that stands for it. */
  readonly prefix: string
}

/** `covers`: the last entry of the request it extended; empty where it extended none. */
export interface ForkResult {
  readonly text: string
  readonly stop: string
  readonly covers: Id
  readonly usage: Usage
  readonly turns: number
}
