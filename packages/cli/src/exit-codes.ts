/** How the program ends; documented for scripts, and never given another meaning. */
export const EXIT = {
  done: 0,
  /** The query ended with an error. */
  failed: 1,
  /** A wrong option, setting or command. */
  usage: 2,
  /** A limit was reached: turns or dollars. */
  limit: 3,
  /** The model refused, or a hook blocked the prompt. */
  refused: 4,
  /** No way to a model: no key, and not offline. */
  noModel: 5,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
