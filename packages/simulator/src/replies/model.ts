import type { Block, Json, Message, StopReason, Tool } from '../wire/messages.js'

type Awaitable<T> = T | Promise<T>

/** What a model is asked: the prompt as it stands after every server-side edit. */
export interface ModelTurn {
  /** `compaction` asks for a summary as plain text. */
  readonly purpose: 'message' | 'compaction'
  readonly model: string
  readonly system: readonly Block[]
  readonly messages: readonly Message[]
  /** The tools that may be called now. */
  readonly tools: readonly Tool[]
  /** The instructions of a compaction, where the client gave its own. */
  readonly instructions: string | undefined
  readonly thinks: boolean
  /** The value of the header `x-nacre-source`, or `main`. */
  readonly source: string
  /** The same for the same prompt: a request that is sent again has the same key. */
  readonly key: string
  readonly signal: AbortSignal
}

/** A block of an answer. A string is text; ids, signatures and the like are added by the server. */
export type ReplyBlock =
  | string
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly redacted?: boolean }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: Json; readonly id?: string }
  | Block

export interface Reply {
  readonly content: readonly ReplyBlock[]
  /** By default `tool_use` where a tool is called, else `end_turn`. */
  readonly stop?: StopReason
  readonly details?: Json
}

/** What stands behind the API: given a turn, it answers. */
export type SimulatedModel = (turn: ModelTurn) => Awaitable<Reply | ReplyBlock | readonly ReplyBlock[]>

/** Whether a model takes its time. */
export function isPromise<T extends object | string>(answer: Awaitable<T>): answer is Promise<T> {
  return typeof answer === 'object' && 'then' in answer && typeof answer.then === 'function'
}

/** Every form a reply may take, as one. */
export function toReply(answer: Awaited<ReturnType<SimulatedModel>>): Reply {
  if (typeof answer === 'string') return { content: answer === '' ? [] : [answer] }
  if (Array.isArray(answer)) return { content: answer }
  return 'content' in answer && !('type' in answer) ? (answer as Reply) : { content: [answer as ReplyBlock] }
}
