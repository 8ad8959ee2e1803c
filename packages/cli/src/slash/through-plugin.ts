import { misuse } from './misuse.js'
import { refusal } from './refusal.js'
import { runPluginCommand } from './run-plugin-command.js'
import { say } from './say.js'
import type { SlashCommand } from './slash-command.js'
import { startingWith } from './starting-with.js'

export interface ThroughPlugin extends Pick<SlashCommand, 'name' | 'help' | 'example'> {
  /** The plugin that brings it, and the flag that switches it. */
  readonly plugin: string
  /** What may follow the name. */
  readonly words?: readonly string[]
  /** Whether what follows makes sense; anything does unless told. */
  accepts?(args: string): boolean
}

/** A command that a plugin of the standard set answers. */
export function throughPlugin(options: ThroughPlugin): SlashCommand {
  const { name, help, example, plugin, words = [], accepts = () => true } = options
  return {
    name,
    help,
    example,
    complete: (typed) => startingWith(typed, words),
    async run(args, context) {
      const { session } = context.opened
      const isThere = session.commands().some((command) => command.name === name)
      if (!isThere) return refusal(absent(plugin, session.flags.list()), context)
      if (!accepts(args)) return misuse(`'${args}' is nothing that /${name} knows.`, { example }, context)
      return say(await runPluginCommand(session, name, args), context)
    },
  }
}

function absent(plugin: string, flags: readonly { readonly name: string }[]): string {
  if (!flags.some(({ name }) => name === plugin)) return `The plugin '${plugin}', which answers this, is not loaded.`
  return `The plugin '${plugin}', which answers this, is off. /flags ${plugin} on switches it on.`
}
