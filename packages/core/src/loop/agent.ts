import type { Conversation } from '../conversation/conversation.js'
import type { NacreError } from '../errors.js'
import type { SessionEvent, Watch } from '../types/events.js'
import type { Dispatcher } from '../types/hooks.js'
import type { Block, Usage } from '../types/log.js'
import type { CallFields, Model, ModelEnd, Request } from '../types/model.js'
import type { Pressure } from '../types/relief.js'
import type { PersonVerdict, Tool, ToolCall, ToolContext } from '../types/tool.js'
import type { View } from '../types/view.js'

/** Who asks the model: what one call of it takes. */
export interface Caller {
  readonly signal: AbortSignal
  /** The request for the view as it is now. */
  request(model: Model, fields: CallFields): Promise<Request>
  /** Takes account of an answer: what it cost, what it read from the cache, what it lost. */
  answered(request: Request, model: Model, end: ModelEnd): void
  /** Takes account of an answer that broke off or was stopped: what had begun is billed all the same. */
  brokenOff(model: Model, usage: Usage): void
  emit(event: SessionEvent): void
  wait(milliseconds: number): Promise<void>
  random(): number
  /** Knows of work that may be left behind when its caller is stopped. */
  readonly watch?: Watch
}

/** What the loop works with. Everything that waits, or that tests want to steer, is passed in. */
export interface Agent extends Caller {
  readonly conversation: Conversation
  readonly hooks: Dispatcher
  readonly limits: Limits
  model(): Model
  /** Another model for the rest of this query, where one was given. */
  fallBack(): Model | undefined
  view(): View
  /** Whether a call of the conversation, or of the one that it extends, has this id. */
  hasCall(id: string): boolean
  /** Between two requests: what background work has proposed and hooks have noted goes into the log. */
  turnBoundary(): Promise<void>
  /** Messages that were put in from outside; each becomes one of the conversation, or is taken out. */
  readonly steering: SteeredMessages
  tool(name: string): Tool | undefined
  /** Why a call may not run here, whoever else would allow it. */
  forbids(call: ToolCall, tool: Tool): string | undefined
  toolContext(call: ToolCall): ToolContext
  /** Asks a person; headless sessions deny. */
  askPerson(call: ToolCall, reason: string): Promise<PersonVerdict>
  /** Why a query with that prompt has no room in the view, where nobody would make some; else `undefined`. */
  noRoomFor(prompt: readonly Block[]): NacreError | undefined
  /** Tells people once of each size that the view has come to. */
  watchSize(): Promise<void>
  /** Frees context where layers can; whether the view became smaller. With an overflow comes what the server said. */
  relieve(pressure: Pressure, overflow?: NacreError): Promise<boolean>
  spent(): number
}

/** Messages on their way into the conversation. Each is in the log before it is in the view: none is lost, none comes twice. */
export interface SteeredMessages {
  /** Those that wait, oldest first. */
  waiting(): readonly SteeredMessage[]
  /** Makes a message of the conversation of one, with the content given; without any it is taken out. */
  settle(message: SteeredMessage, content: readonly Block[] | undefined): Promise<void>
}

/** `isOwn`: said by whoever uses the session, and not by one of its plugins. */
export interface SteeredMessage {
  readonly owner: string
  readonly key: string
  readonly content: readonly Block[]
  readonly isOwn: boolean
}

interface Limits {
  /** Without one there is a limit all the same, far away. */
  readonly maxTurns?: number | undefined
  readonly maxBudgetUsd: number
}
