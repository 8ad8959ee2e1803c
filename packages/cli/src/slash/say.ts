import { cleanText } from '../text/clean-text.js'
import type { SlashContext, SlashOutput } from './slash-command.js'
import { wrapText } from './text/wrap-text.js'

/** A text of any length and origin, as it fits the terminal. */
export function say(text: string, { width }: SlashContext): SlashOutput {
  return { text: wrapText(cleanText(text), width).join('\n') }
}
