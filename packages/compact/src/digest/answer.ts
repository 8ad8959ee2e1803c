import type { Id } from '@nacre/core'

/** What the model said to its user. */
export interface Answer {
  readonly entry: Id
  readonly text: string
}
