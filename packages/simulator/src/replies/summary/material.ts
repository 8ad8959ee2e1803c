import type { SummaryLines } from './read-summary.js'

/** What a summary can be made of. All lists run from the oldest to the newest. */
export interface Material {
  /** The person's words. */
  readonly said: readonly string[]
  /** The model's words. */
  readonly told: readonly string[]
  readonly calls: readonly Call[]
  readonly errors: readonly string[]
  /** Todos that are not done. */
  readonly open: readonly string[]
  /** What summaries before this one say. */
  readonly carried: SummaryLines
  /** Whether the person spoke last. */
  readonly isAsked: boolean
}

export interface Call {
  readonly id: string
  readonly name: string
  readonly input: unknown
}
