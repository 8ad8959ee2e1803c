import type { SlashCommand } from '../slash-command.js'

/** Ends the program. */
export const exitCommand: SlashCommand = {
  name: 'exit',
  help: 'Ends the program; the session can be resumed.',
  example: '/exit',
  run: async () => ({ text: '', next: { exit: true } }),
}
