import type { Json, StopReason } from '../wire.js'
import type { Backend } from './backend.js'
import type { OutputBlock } from './finish-reply.js'
import type { Iteration } from './usage.js'

/** What one or more runs of the model gave. */
export interface ModelRun {
  readonly blocks: readonly OutputBlock[]
  readonly stop: StopReason
  readonly stopSequence: string | null
  readonly details: Json
  readonly iterations: readonly Iteration[]
  readonly searches: number
  /** Called when the first byte leaves: from then on others can read what this request wrote to the cache. */
  begin(): void
}

export interface AnswerContext {
  readonly backend: Backend
  readonly source: string
  readonly started: number
  readonly signal: AbortSignal
}
