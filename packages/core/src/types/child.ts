import type { SessionEvent } from './events.js'
import type { ForkOptions, ForkResult, Source } from './fork.js'
import type { Block, Entry, Id, Json, Usage } from './log.js'
import type { Model } from './model.js'
import type { PromptSection } from './plugin.js'
import type { PersonVerdict, Tool, ToolCall } from './tool.js'
import type { View } from './view.js'

/** The session that a plugin lives in, as it can be used beside its hooks. Only once the session has started. */
export interface OwnSession {
  /** `main`, or the name of the sub-agent whose session it is. */
  readonly source: Source
  /** Puts a message into the conversation: at the next tool round of the query that runs, else at the start of the next. */
  steer(content: string | readonly Block[], options?: SteerOptions): Promise<void>
  /** Starts a session below this one. A session that is itself below another has none. */
  child(options: ChildOptions): Promise<ChildSession>
}

export interface SteerOptions {
  /** Kept beside the message in its log entry, for whoever has to know whether it came in already. */
  readonly mark?: Json
}

/**
 * A sub-agent's session: its own log, which is named after its parent's, its own view, state and signal. Plugins of scope
 * `sessions` and `all` are set up in it; the tools of the others are lent to it, and meet its view and its store. What it costs is its
 * parent's cost too, under its own name, and it stops where the parent's budget ends.
 */
export interface ChildOptions {
  readonly source: `agent:${string}`
  /** Its name among the children of this session; the log is `<session>//<id>`. */
  readonly id: Id
  /**
   * `new`: begins with nothing. `fork`: with all that this session holds up to its last answer, to the byte; calls that
   * are still open have the same placeholder for a result in every fork. `kept`: goes on with its log.
   */
  readonly from: 'new' | 'fork' | 'kept'
  /** For a new one; the parent's unless told. */
  readonly model?: Model
  /** Of a new one: stands in for what the program gave to the parent. Sections of plugins come behind it. */
  readonly system?: readonly PromptSection[]
  readonly cwd?: string
  readonly limits?: { readonly maxTurns?: number; readonly maxBudgetUsd?: number }
  readonly calls?: ChildCalls
}

/** What a sub-agent may call. */
export interface ChildCalls {
  /** Which tools a new one is given; all unless told. A fork has those of its parent: they are part of the prefix. */
  offers?(tool: Tool): boolean
  /** Why a call may not run, whoever else would allow it. */
  forbids?(call: ToolCall, tool: Tool): string | undefined
  /** Asks a person; the parent's way unless told. */
  ask?(call: ToolCall, reason: string, signal: AbortSignal): Promise<PersonVerdict>
}

/** A sub-agent's session for the plugin that started it, which also closes it; at the latest it ends with its parent. */
export interface ChildSession {
  readonly id: Id
  readonly source: Source
  query(prompt?: string | readonly Block[], options?: { readonly signal?: AbortSignal }): AsyncIterable<SessionEvent>
  steer(content: string | readonly Block[], options?: SteerOptions): Promise<void>
  /** Asks something beside its conversation, as a hook in it would. */
  fork(options: ForkOptions): Promise<ForkResult>
  view(): View
  entries(): AsyncIterable<Entry>
  spent(): Usage
  /** Gives the way to stop listening. */
  listen(listener: (event: SessionEvent) => void): () => void
  close(reason?: string): Promise<void>
}
