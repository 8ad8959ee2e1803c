/** What the program meets of the world around it; tests pass their own. */
export interface Terminal {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The person's home folder. */
  readonly home: string
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  now(): number
}

/** How the program ends; documented for scripts, and never given another meaning. */
export const EXIT = {
  done: 0,
  /** The query ended with an error. */
  failed: 1,
  /** A wrong option, setting or command. */
  usage: 2,
  /** A limit was reached: turns, dollars, or the length of an answer. */
  limit: 3,
  /** The model refused, or a hook blocked the prompt. */
  refused: 4,
  /** No way to a model: no key, and not offline. */
  noModel: 5,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A terminal that does not tell its size is taken for a usual one. */
export function sizeOf({ columns, rows }: NodeJS.WriteStream): { readonly columns: number; readonly rows: number } {
  return { columns: columns || 80, rows: rows || 24 }
}

/** Whether colours are welcome: not where `NO_COLOR` is set, and not on a terminal that has none. */
export function hasColour({ env, stdout }: Pick<Terminal, 'env' | 'stdout'>): boolean {
  return !env.NO_COLOR && env.TERM !== 'dumb' && stdout.isTTY === true
}
