import type { RedirectOperator } from 'unbash'
import type { CommandWord } from './command-word.js'

/** One simple command of a command line, wherever it stands in it. */
export interface CommandPart {
  /** Name and arguments; none for a bare assignment or redirection. */
  readonly words: readonly CommandWord[]
  readonly assignments: readonly CommandAssignment[]
  readonly redirects: readonly CommandRedirect[]
  readonly source: string
  /** The part that runs this one: `sudo` or `bash -c`, say. */
  readonly parent?: CommandPart
  /** For a part that runs others: `transparent` ones add nothing to what they run. */
  readonly wrapper?: 'transparent' | 'opaque'
  /** Where it may run; none when that is not known. */
  readonly folders: readonly string[]
}

export interface CommandAssignment {
  readonly name: string
  readonly value: CommandWord
}

export interface CommandRedirect {
  readonly operator: RedirectOperator
  readonly target: CommandWord
}

/** A command line in its parts. What is `unclear` can't be judged by its parts alone. */
export interface ParsedCommand {
  readonly command: string
  readonly parts: readonly CommandPart[]
  readonly unclear: readonly string[]
  /** It may run commands that are not among the parts. */
  readonly isHiding: boolean
}

/** The name by which a part calls its program; nothing where that is not known. */
export function nameOf({ words }: CommandPart): string | undefined {
  return words[0]?.kind === 'static' ? words[0].text : undefined
}
