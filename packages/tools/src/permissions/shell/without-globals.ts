import type { CommandWord } from './command-word.js'

const VALUED = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env'])

/** The words of a git command from its subcommand on: `git -C folder push` is a push. */
export function withoutGlobals(args: readonly CommandWord[]): readonly CommandWord[] {
  let at = 0
  while (args[at]?.text.startsWith('-')) at += VALUED.has(args[at]?.text ?? '') ? 2 : 1
  return args.slice(at)
}
