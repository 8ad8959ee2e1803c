import { isNacreError, type Session } from '@nacre/core'
import { MEMORY_WORDS } from '@nacre/dream'
import { nearestWord } from '../terminal/nearest-word.js'
import { definitions } from './format.js'
import { absent, runPluginCommand } from './plugin-commands.js'
import {
  misuse,
  refusal,
  type SlashCommand,
  type SlashContext,
  type SlashOutput,
  say,
  startingWith,
} from './slash-command.js'

const NAME = 'memory'
const PLUGIN = 'dream'

/** What is remembered: words about long-term memory, and a part for each layer that keeps one, such as `memory session`. */
export const memoryCommand: SlashCommand = {
  name: NAME,
  help: 'Shows and changes what is remembered: list, show, add, forget, undo, inbox and more; session for the notes of this one.',
  example: '/memory search code style',
  more: () => MEMORY_WORDS.map(([words, help]) => [`/memory ${words}`, help] as const),
  complete: (typed, { opened }) =>
    startingWith(
      typed,
      [...new Set([...(hasMemory(opened.session) ? WORDS : []), ...partsOf(opened.session).keys()])].sort(),
    ),
  async run(args, context) {
    const { session } = context.opened
    const parts = partsOf(session)
    const part = longest(args, [...parts.keys()])
    if (part !== undefined) return answer(`${NAME} ${part}`, args.slice(part.length).trim(), context)
    if (hasMemory(session)) return remembered(args, context)
    if (parts.size === 0) return refusal('Nothing keeps a memory here: no plugin that does is on.', context)
    if (args !== '') {
      const known = [...parts.keys()].map((name) => `/memory ${name}`).join(', ')
      return refusal(`${absent(PLUGIN, session.flags.list())}\nThere is: ${known}.`, context)
    }
    const all = [...parts].map(([name, help]) => [`/memory ${name}`, help] as const)
    return { text: definitions(all, context).join('\n') }
  },
}

const WORDS = MEMORY_WORDS.map(([words]) => words.split(' ')[0] ?? '')

async function remembered(args: string, context: SlashContext): Promise<SlashOutput> {
  const [word = ''] = args.split(/\s/)
  if (args === '') {
    const list = await runPluginCommand(context.opened.session, NAME, '')
    return say(
      `${list}\n\n/help memory tells what else there is, /memory session shows the notes of this session.`,
      context,
    )
  }
  if (word === 'edit') return refusal(`An editor needs the terminal for itself: nacre ${NAME} ${args}`, context)
  if (!WORDS.includes(word)) {
    const near = nearestWord(word, WORDS)
    const hint = near ? ` Did you mean '${near}'?` : ''
    return misuse(`There is no '/memory ${word}'.${hint} There is: ${WORDS.join(', ')}.`, memoryCommand, context)
  }
  if (word === 'purge' && !/\s--yes\b/.test(args)) {
    return refusal(`What is purged can not be brought back. If you are sure: /memory ${args} --yes`, context)
  }
  return answer(NAME, args, context)
}

/** What the plugin says; what a person has asked for in a wrong way is no failure of the plugin. */
async function answer(name: string, args: string, context: SlashContext): Promise<SlashOutput> {
  try {
    return say(await runPluginCommand(context.opened.session, name, args), context)
  } catch (error) {
    const { cause } = error as Error
    if (isNacreError(cause, 'NOT_FOUND') || isNacreError(cause, 'INVALID_REQUEST'))
      return refusal(cause.message, context)
    throw error
  }
}

function hasMemory(session: Session): boolean {
  return session.commands().some(({ name, owner }) => name === NAME && owner === PLUGIN)
}

/** By what follows `memory` in the name of a command, its help. */
function partsOf(session: Session): ReadonlyMap<string, string> {
  const parts = session.commands().filter(({ name }) => name.startsWith(`${NAME} `))
  return new Map(parts.map(({ name, help }) => [name.slice(NAME.length + 1), help]))
}

function longest(args: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) => args === name || args.startsWith(`${name} `))
    .sort((a, b) => b.length - a.length)
    .at(0)
}

const DREAM_WORDS = ['status', 'kill', '--dry-run', '--person']

/** Puts memories in order while the conversation goes on. */
export const dreamCommand: SlashCommand = {
  name: 'dream',
  help: 'Puts the memories in order in the background: [--dry-run] [--person]; status says how far it is, kill ends it.',
  example: '/dream --dry-run',
  complete: (typed) => startingWith(typed, DREAM_WORDS),
  async run(args, context) {
    const { session } = context.opened
    if (!session.commands().some(({ name }) => name === 'dream')) {
      return refusal(absent(PLUGIN, session.flags.list()), context)
    }
    const words = args.split(/\s+/).filter((word) => word !== '')
    const unknown = words.find((word) => !DREAM_WORDS.includes(word))
    if (unknown !== undefined) return misuse(`'${unknown}' is nothing that /dream knows.`, dreamCommand, context)
    const [first] = words
    if (first === 'status' || first === 'kill') return answer(`dream ${first}`, '', context)
    const done = answer('dream', args, context)
    const text =
      'A dream begins. It goes on beside the conversation: /dream status says how far it is, /dream kill ends it.'
    const stop = () => void session.command('dream kill').catch(() => undefined)
    return { ...say(text, context), later: { done, stop } }
  },
}
