import { ALL_SLASH_COMMANDS } from './all-slash-commands.js'
import { findSlashCommand } from './find-slash-command.js'
import { pluginCommands } from './plugin-commands.js'
import { refusal } from './refusal.js'
import { runPluginCommand } from './run-plugin-command.js'
import { say } from './say.js'
import type { SlashContext, SlashOutput } from './slash-command.js'

/** Runs what was typed after a slash, whoever the command belongs to. Never throws: what goes wrong is said. */
export async function runSlashCommand(typed: string, context: SlashContext): Promise<SlashOutput> {
  const line = typed.trim().replace(/^\//, '').trim()
  try {
    context.signal.throwIfAborted()
    return await run(line, context)
  } catch (error) {
    if (context.signal.aborted) return refusal('Stopped. Nothing was changed.', context)
    return refusal(error instanceof Error ? error.message : String(error), context)
  }
}

async function run(line: string, context: SlashContext): Promise<SlashOutput> {
  const { session } = context.opened
  const name = line.split(/\s/)[0] ?? ''
  const args = line.slice(name.length).trim()
  const others = pluginCommands(session, ALL_SLASH_COMMANDS).map((command) => command.name)
  const found = findSlashCommand(name, others)
  if (found.command) return found.command.run(args, context)
  const other = longestOf(line, others)
  if (other !== undefined) return say(await runPluginCommand(session, other, line.slice(other.length).trim()), context)
  const hint = found.near.length > 0 ? `Did you mean ${found.near.map((near) => `/${near}`).join(' or ')}?` : ''
  return refusal(`There is no command /${name}. ${hint}${hint && ' '}/help lists them all.`, context)
}

/** Of `memory session` and `memory` the longer one is meant where both would do. */
function longestOf(line: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) => line === name || line.startsWith(`${name} `))
    .sort((a, b) => b.length - a.length)
    .at(0)
}
