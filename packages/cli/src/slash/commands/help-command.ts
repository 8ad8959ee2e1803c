import { cleanText } from '../../text/clean-text.js'
import { misuse } from '../misuse.js'
import { nearNames } from '../near-names.js'
import { pluginCommands } from '../plugin-commands.js'
import { say } from '../say.js'
import type { SlashCommand, SlashContext, SlashOutput } from '../slash-command.js'
import { startingWith } from '../starting-with.js'
import { definitions } from '../text/definitions.js'
import { paint } from '../text/paint.js'

const EXAMPLE = '/help compact'

/** Lists all commands, or tells more of one. It is given the others, since it is one of them. */
export function helpCommand(all: () => readonly SlashCommand[]): SlashCommand {
  return {
    name: 'help',
    help: 'Lists the commands; with a name, tells more of that one.',
    example: EXAMPLE,
    complete: (typed, context) => startingWith(typed, namesIn(context, all())),
    run: async (args, context) => (args === '' ? listed(context, all()) : explained(args, context, all())),
  }
}

function namesIn({ opened }: SlashContext, own: readonly SlashCommand[]): readonly string[] {
  return [...own, ...pluginCommands(opened.session, own)].map(({ name }) => name)
}

function listed(context: SlashContext, own: readonly SlashCommand[]): SlashOutput {
  const others = pluginCommands(context.opened.session, own)
  const heading = (text: string) => paint(text, 'bold', context.hasColour)
  const firstLine = (text: string) => cleanText(text).split('\n')[0] ?? ''
  const parts = [
    heading('Commands'),
    ...definitions(
      own.map(({ name, help }) => [`/${name}`, help] as const),
      context,
    ),
    ...(others.length > 0 ? ['', heading('Of plugins')] : []),
    ...definitions(
      others.map(({ name, help, owner }) => [`/${name}`, `${firstLine(help)} (${owner})`] as const),
      context,
    ),
    '',
    say(`${EXAMPLE} tells more of one.`, context).text,
  ]
  return { text: parts.join('\n') }
}

function explained(typed: string, context: SlashContext, own: readonly SlashCommand[]): SlashOutput {
  const name = typed.replace(/^\//, '').toLowerCase()
  const found = own.find((command) => command.name === name)
  if (found) return say(`/${name}\n${found.help}\nFor example: ${found.example}`, context)
  const other = pluginCommands(context.opened.session, own).find((command) => command.name === name)
  if (other) return say(`/${name}, of the plugin ${other.owner}\n${other.help}\nFor example: /${name}`, context)
  const near = nearNames(name, namesIn(context, own)).map((each) => `/${each}`)
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return misuse(`There is no command /${name}.${hint}`, { example: EXAMPLE }, context)
}
