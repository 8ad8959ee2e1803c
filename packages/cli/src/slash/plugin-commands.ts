import type { Session } from '@nacre/core'
import type { SlashCommand } from './slash-command.js'

/** The commands that plugins bring and the program has none of its own for. A name may have several words. */
export function pluginCommands(
  { commands }: Pick<Session, 'commands'>,
  own: readonly Pick<SlashCommand, 'name'>[],
): ReturnType<Session['commands']> {
  const taken = new Set(own.map(({ name }) => name))
  return commands().filter(({ name }) => !taken.has(name.split(' ')[0] ?? ''))
}
