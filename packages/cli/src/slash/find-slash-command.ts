import { ALL_SLASH_COMMANDS } from './all-slash-commands.js'
import { nearNames } from './near-names.js'
import type { SlashCommand } from './slash-command.js'

export type FoundCommand =
  | { readonly command: SlashCommand }
  | { readonly command?: never; readonly near: readonly string[] }

/** A command of the program by its name, or the names that were probably meant. `others`: names of plugins' commands. */
export function findSlashCommand(name: string, others: readonly string[] = []): FoundCommand {
  const wanted = name.replace(/^\//, '').toLowerCase()
  const command = ALL_SLASH_COMMANDS.find((each) => each.name === wanted)
  if (command) return { command }
  return { near: nearNames(wanted, [...ALL_SLASH_COMMANDS.map((each) => each.name), ...others]) }
}
