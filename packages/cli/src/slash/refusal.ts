import { say } from './say.js'
import type { SlashContext, SlashOutput } from './slash-command.js'

/** Says why nothing was done, where the person has typed nothing wrong. */
export function refusal(message: string, context: SlashContext): SlashOutput {
  return { ...say(message, context), isError: true }
}
