import type { CommandWord } from './command-word.js'

/** What a command runs besides itself: words as they are, or a text that a shell reads. */
export interface Run {
  readonly words?: readonly CommandWord[]
  readonly script?: readonly CommandWord[]
  /** Words in front that set the environment: `env A=b`. */
  readonly assignments?: readonly CommandWord[]
}

export interface LookedThrough {
  readonly wrapper: 'transparent' | 'opaque'
  readonly runs: readonly Run[]
  readonly unclear?: string
}
