import type { SlashContext, SlashOutput } from './slash-command.js'
import { plainText } from './text/plain-text.js'
import { wrapText } from './text/wrap-text.js'

/** A text of any length and origin, as it fits the terminal. */
export function say(text: string, { width }: SlashContext): SlashOutput {
  return { text: wrapText(plainText(text), width).join('\n') }
}
