import type { Id } from '@nacre/core'

/**
 * Ties the use of a path to what was judged. A link that is swapped between the two would lead a tool to a place that
 * nobody allowed: so a tool asks again with the path that it has really opened.
 */
export interface PathGuard {
  /** Throws, with a text for the model, when the call was judged for another place. Calls that nobody judged pass. */
  verify(call: Id, realPath: string): void
  /** Whether a file below the place that a call was judged for has to be left out: nobody has allowed to read that one. */
  hides?(call: Id, path: string): boolean
}
