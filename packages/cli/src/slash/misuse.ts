import { say } from './say.js'
import type { SlashCommand, SlashContext, SlashOutput } from './slash-command.js'

/** Says what is wrong with what was typed, and how it is done. */
export function misuse(
  message: string,
  { example }: Pick<SlashCommand, 'example'>,
  context: SlashContext,
): SlashOutput {
  return { ...say(`${message}\nFor example: ${example}`, context), isError: true }
}
