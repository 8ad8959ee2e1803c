import { isNacreError, type Session } from '@nacre/core'
import { misuse, refusal, type SlashCommand, say, startingWith } from './slash-command.js'

/** Runs a command of a plugin. What goes wrong in it names the plugin, whatever the plugin says of it. */
export async function runPluginCommand(
  session: Pick<Session, 'command' | 'commands'>,
  name: string,
  args: string,
): Promise<string> {
  try {
    return await session.command(name, args)
  } catch (error) {
    if (isNacreError(error, 'ABORTED')) throw error
    const owner = session.commands().find((command) => command.name === name)?.owner ?? 'unknown'
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`/${name} of the plugin '${owner}' failed: ${reason}`, { cause: error })
  }
}

interface ThroughPlugin extends Pick<SlashCommand, 'name' | 'help' | 'example'> {
  /** The plugin that brings it, and the flag that switches it. */
  readonly plugin: string
  /** What may follow the name. */
  readonly words?: readonly string[]
  /** Whether what follows makes sense; anything does unless told. */
  accepts?(args: string): boolean
}

/** A command that a plugin of the standard set answers. */
function throughPlugin(options: ThroughPlugin): SlashCommand {
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

/** Why nobody answers a command of a plugin of the standard set. */
export function absent(plugin: string, flags: readonly { readonly name: string }[]): string {
  if (!flags.some(({ name }) => name === plugin)) return `The plugin '${plugin}', which answers this, is not loaded.`
  return `The plugin '${plugin}', which answers this, is off. /flags ${plugin} on switches it on.`
}

export const permissionsCommand = throughPlugin({
  name: 'permissions',
  plugin: 'permissions',
  help: 'Lists the rules and where they came from; adds one for this session: allow|ask|deny Tool(what).',
  example: '/permissions allow Bash(npm run test:*)',
  words: ['allow ', 'ask ', 'deny '],
  accepts: (args) => args === '' || /^(allow|ask|deny)\s+\S/.test(args),
})

const WORDS = ['on', 'off', 'done']

export const planCommand = throughPlugin({
  name: 'plan',
  plugin: 'plan-mode',
  help: 'Shows plan mode and the plan; on and off switch the mode, done says that the plan is carried out.',
  example: '/plan on',
  words: WORDS,
  accepts: (args) => args === '' || WORDS.includes(args),
})

export const mcpCommand = throughPlugin({
  name: 'mcp',
  plugin: 'mcp',
  help: 'Lists MCP servers with their tools; reconnect <server> connects one anew.',
  example: '/mcp reconnect github',
  words: ['reconnect '],
  accepts: (args) => args === '' || /^reconnect\s+\S+$/.test(args),
})

export const tasksCommand = throughPlugin({
  name: 'tasks',
  plugin: 'shell',
  help: 'Lists the commands that were started in the background and how they are; stop <id> ends one.',
  example: '/tasks stop bash_1',
  words: ['stop '],
  accepts: (args) => args === '' || /^stop\s+\S+$/.test(args),
})

export const skillsCommand = throughPlugin({
  name: 'skills',
  plugin: 'skills',
  help: 'Lists the skills that were found, and what is wrong with those that can not be read.',
  example: '/skills',
  accepts: (args) => args === '',
})
