import type { OpenedSession } from '../session/opened-session.js'
import { cleanText } from '../terminal/clean-text.js'
import { wrapText } from './format.js'

/** A command that is typed into a session, after a slash. */
export interface SlashCommand {
  readonly name: string
  /** One line. */
  readonly help: string
  /** As one would type it. */
  readonly example: string
  /** What `/help` tells beside the line: words and what they do. */
  more?(): readonly (readonly [words: string, help: string])[]
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
  /** Work that goes on after the command; what it says is said when it is over. `stop` ends it before. */
  readonly later?: { readonly done: Promise<SlashOutput>; stop(): void }
  /** `open`: another session instead of this one. `exit`: the end. */
  readonly next?: { readonly open: { readonly resume: string } } | { readonly exit: true }
}

/** A text of any length and origin, as it fits the terminal. */
export function say(text: string, { width }: SlashContext): SlashOutput {
  return { text: wrapText(cleanText(text), width).join('\n') }
}

/** Says what is wrong with what was typed, and how it is done. */
export function misuse(
  message: string,
  { example }: Pick<SlashCommand, 'example'>,
  context: SlashContext,
): SlashOutput {
  return { ...say(`${message}\nFor example: ${example}`, context), isError: true }
}

/** Says why nothing was done, where the person has typed nothing wrong. */
export function refusal(message: string, context: SlashContext): SlashOutput {
  return { ...say(message, context), isError: true }
}

/** The words that what was typed may become. */
export function startingWith(typed: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => word.startsWith(typed))
}
