import type { SessionEvent } from './events.js'
import type { ForkOptions, ForkResult, Source } from './fork.js'
import type { Block, Entry, Id, Json, Usage } from './log.js'
import type { Model } from './model.js'
import type { Awaitable, PersonVerdict, Tool, ToolCall } from './tool.js'
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
  readonly system?: readonly ChildSection[]
  readonly cwd?: string
  readonly limits?: { readonly maxTurns?: number; readonly maxBudgetUsd?: number }
  readonly calls?: ChildCalls
}

/** A part of a sub-agent's system prompt, as a plugin's `PromptSection` is one of a session's. */
export interface ChildSection {
  readonly name: string
  readonly scope: 'static' | 'session'
  text(): Awaitable<string | undefined>
}

/** What a sub-agent may call. */
export interface ChildCalls {
  /** Which tools a new one is given; all unless told. A fork has those of its parent: they are part of the prefix. */
  offers?(tool: Tool): boolean
  /** Why a call may not run, whoever else would allow it. */
  forbids?(call: ToolCall, tool: Tool): string | undefined
  /** Asks a person, by the parent's way to one, where there is one; that alone unless told. */
  ask?(question: ChildQuestion, person: AskPerson | undefined): Promise<PersonVerdict>
}

/** A call that somebody has to decide about. */
export interface ChildQuestion {
  readonly call: ToolCall
  readonly reason: string
  readonly signal: AbortSignal
}

/** Asks the person whom the parent asks, under the name of the sub-agent. */
export type AskPerson = (signal: AbortSignal) => Promise<PersonVerdict>

/** A sub-agent's session for the plugin that started it, which also closes it; at the latest it ends with its parent. */
export interface ChildSession {
  readonly id: Id
  readonly source: Source
  query(prompt?: string | readonly Block[], options?: { readonly signal?: AbortSignal }): AsyncIterable<SessionEvent>
  steer(content: string | readonly Block[], options?: SteerOptions): Promise<void>
  /** Whether messages wait that it has not heard. */
  isSteered(): boolean
  /** Asks something beside its conversation, as a hook in it would. */
  fork(options: ForkOptions): Promise<ForkResult>
  view(): View
  entries(): AsyncIterable<Entry>
  spent(): Usage
  /** Gives the way to stop listening. */
  listen(listener: (event: SessionEvent) => void): () => void
  close(reason?: string): Promise<void>
}
