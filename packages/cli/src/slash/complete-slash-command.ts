import { ALL_SLASH_COMMANDS } from './all-slash-commands.js'
import { pluginCommands } from './plugin-commands.js'
import type { SlashContext } from './slash-command.js'

/** A line that may be meant, whole, with what it would do. */
export interface Completion {
  readonly line: string
  readonly help: string
}

/** What a line that begins with a slash may become: names first, then what may follow a name. */
export function completeSlashCommand(typed: string, context: SlashContext): readonly Completion[] {
  const line = typed.replace(/^\//, '')
  const [name = ''] = line.split(/\s/)
  const command = ALL_SLASH_COMMANDS.find((each) => each.name === name)
  if (command && line.length > name.length) {
    const args = line.slice(name.length).trimStart()
    const found = command.complete?.(args, context) ?? []
    return found.map((each) => ({ line: `/${name} ${each}`, help: command.help }))
  }
  return [...ALL_SLASH_COMMANDS, ...pluginCommands(context.opened.session, ALL_SLASH_COMMANDS)]
    .filter((each) => each.name.startsWith(line.toLowerCase()))
    .map((each) => ({ line: `/${each.name}`, help: each.help.split('\n')[0] ?? '' }))
    .sort((a, b) => (a.line < b.line ? -1 : 1))
}
