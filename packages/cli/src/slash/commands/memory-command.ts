import { misuse } from '../misuse.js'
import { refusal } from '../refusal.js'
import { runPluginCommand } from '../run-plugin-command.js'
import { say } from '../say.js'
import type { SlashCommand, SlashContext } from '../slash-command.js'
import { startingWith } from '../starting-with.js'
import { definitions } from '../text/definitions.js'

const PREFIX = 'memory '

/** What is remembered: each layer of memory brings a part, such as `memory session`. */
export const memoryCommand: SlashCommand = {
  name: 'memory',
  help: 'Shows what is remembered: /memory session for the notes of this session.',
  example: '/memory session',
  complete: (typed, context) =>
    startingWith(
      typed,
      parts(context).map(([name]) => name),
    ),
  async run(args, context) {
    const known = parts(context)
    if (known.length === 0) return refusal('Nothing keeps a memory here: no plugin that does is on.', context)
    if (args === '') {
      const all = known.map(([name, help]) => [`/memory ${name}`, help] as const)
      return { text: definitions(all, context).join('\n') }
    }
    const part = known.find(([name]) => args === name || args.startsWith(`${name} `))?.[0]
    if (part === undefined) {
      const names = known.map(([name]) => name).join(', ')
      return misuse(`There is no memory '${args}'. There is: ${names}.`, memoryCommand, context)
    }
    return say(await runPluginCommand(context.opened.session, PREFIX + part, args.slice(part.length).trim()), context)
  },
}

function parts({ opened }: SlashContext): readonly (readonly [name: string, help: string])[] {
  return opened.session
    .commands()
    .filter(({ name }) => name.startsWith(PREFIX))
    .map(({ name, help }) => [name.slice(PREFIX.length), help])
}
