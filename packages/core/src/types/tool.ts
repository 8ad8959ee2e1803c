import type { Block, Id, Json } from './log.js'
import type { SessionStore } from './store.js'
import type { View } from './view.js'

export interface ToolCall {
  readonly id: Id
  readonly name: string
  readonly input: Json
}

export interface ToolResult {
  readonly content: readonly Block[]
  readonly isError?: true
  /** Given by a plugin that has put what the tool gave into a blob: stands for it in the log. */
  readonly logged?: readonly Block[]
  /** Given by a plugin that took something out which must not be told again, wherever the log is read. */
  readonly redacts?: true
}

/** Usable without an agent. Only a call that is read-only and safe beside others may start before the response has ended. */
export interface Tool<Input = unknown> {
  readonly name: string
  readonly description: string
  readonly schema: ToolSchema<Input>
  /** Whether its old results may be cleared. */
  readonly isCompactable?: boolean
  readonly maxResultChars?: number
  /** Its results are what commands printed: the accounting has a class for that. */
  readonly isCommand?: boolean
  /** Left out of the prompt until a result refers to it by a `tool_reference` block; for models that can `deferred-tools`. */
  readonly isDeferred?: true
  readonly server?: ServerTool
  /** The file that a call reads, by its path, where it reads one: what is read twice is told. */
  reads?(input: Input): string | undefined
  isReadOnly(input: Input): boolean
  isConcurrencySafe(input: Input): boolean
  check?(input: Input, context: ToolContext): Awaitable<Verdict<'deny' | 'ask' | 'allow'> | undefined>
  run(input: Input, context: ToolContext): Awaitable<ToolResult>
}

/**
 * Of a tool that the model's server runs by itself: what is sent in place of description and schema, with the tool's name,
 * which is the server's for it. Core runs nothing and asks nobody: it is brought only where it may be used, and only to a
 * model that can `server-tools`. Its calls and results are blocks of the answer.
 */
export interface ServerTool {
  readonly type: string
  readonly [field: string]: Json
}

export interface ToolSchema<Input> {
  readonly json: Json
  /** Throws with a message for the model when the input does not fit. */
  parse(input: unknown): Input
}

export interface ToolContext {
  readonly callId: Id
  readonly cwd: string
  readonly signal: AbortSignal
  readonly view?: View
  readonly store?: SessionStore
  progress(text: string): void
}

export type Awaitable<T> = T | Promise<T>

/** An answer to a gate. */
export interface Verdict<V extends string> {
  readonly verdict: V
  readonly reason: string
}

/** What a person says to a call; with `deny` in their own words, which the model reads. `unanswered`: why nobody said anything. */
export type PersonVerdict = 'allow' | 'deny' | { readonly deny: string } | { readonly unanswered: string }
