import type { OpenedSession } from '../session/opened-session.js'

/** A command that is typed into a session, after a slash. */
export interface SlashCommand {
  readonly name: string
  /** One line. */
  readonly help: string
  /** As one would type it. */
  readonly example: string
  /** What may follow the name, for completion. */
  complete?(typed: string, context: SlashContext): readonly string[]
  run(args: string, context: SlashContext): Promise<SlashOutput>
}

export interface SlashContext {
  readonly opened: OpenedSession
  /** Columns of the terminal. */
  readonly width: number
  readonly hasColour: boolean
  readonly signal: AbortSignal
}

/** What a command shows, and what the program is to do about it. */
export interface SlashOutput {
  readonly text: string
  /** Nothing was done, and the text says why. */
  readonly isError?: true
  /** `open`: another session instead of this one. `exit`: the end. */
  readonly next?: { readonly open: { readonly resume: string } } | { readonly exit: true }
}
