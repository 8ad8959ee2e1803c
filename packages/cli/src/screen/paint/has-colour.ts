import type { Terminal } from '../../terminal.js'

/** Whether colours are welcome: not where `NO_COLOR` is set, and not on a terminal that has none. */
export function hasColour({ env, stdout }: Pick<Terminal, 'env' | 'stdout'>): boolean {
  return !env.NO_COLOR && env.TERM !== 'dumb' && stdout.isTTY === true
}
