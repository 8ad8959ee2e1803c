import type { Dispatcher } from '../contract/hooks.js'
import type { CallFields, Model, ModelEnd, Request } from '../contract/model.js'
import type { Pressure } from '../contract/relief.js'
import type { Tool, ToolCall, ToolContext } from '../contract/tool.js'
import type { View } from '../contract/view.js'
import type { Usage } from '../log/entry.js'
import type { NacreError } from '../nacre-error.js'
import type { Conversation } from '../session/conversation.js'
import type { PersonVerdict } from '../session/session-options.js'
import type { SessionEvent } from './events.js'

/** What the loop works with. Everything that waits, or that tests want to steer, is passed in. */
export interface Agent {
  readonly conversation: Conversation
  readonly hooks: Dispatcher
  readonly signal: AbortSignal
  readonly limits: Limits
  model(): Model
  /** Another model for the rest of this query, where one was given. */
  fallBack(): Model | undefined
  view(): View
  /** The request for the view as it is now. */
  request(model: Model, fields: CallFields): Promise<Request>
  /** Takes account of an answer: what it cost, what it read from the cache, what it lost. */
  answered(request: Request, model: Model, end: ModelEnd): void
  /** Takes account of an answer that broke off or was stopped: what had begun is billed all the same. */
  brokenOff(model: Model, usage: Usage): void
  /** Between two requests: what background work has proposed and hooks have noted goes into the log. */
  turnBoundary(): Promise<void>
  tool(name: string): Tool | undefined
  /** Why a call may not run here, whoever else would allow it. */
  forbids(call: ToolCall, tool: Tool): string | undefined
  toolContext(call: ToolCall): ToolContext
  /** Asks a person; headless sessions deny. */
  askPerson(call: ToolCall, reason: string): Promise<PersonVerdict>
  /** Frees context where layers can; whether the view became smaller. With an overflow comes what the server said. */
  relieve(pressure: Pressure, overflow?: NacreError): Promise<boolean>
  spent(): number
  emit(event: SessionEvent): void
  wait(milliseconds: number): Promise<void>
  random(): number
}

interface Limits {
  readonly maxTurns: number
  readonly maxBudgetUsd: number
}
