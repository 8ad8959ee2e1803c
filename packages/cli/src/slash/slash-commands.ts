import type { Session } from '@nacre/core'
import { cleanText } from '../terminal/clean-text.js'
import { nearestWord } from '../terminal/nearest-word.js'
import { agentsCommand } from './agents.js'
import { compactCommand, receiptCommand } from './compact.js'
import { contextCommand } from './context.js'
import { cacheCommand, costCommand } from './cost.js'
import { definitions, paint } from './format.js'
import { logCommand } from './log.js'
import { dreamCommand, memoryCommand } from './memory.js'
import {
  mcpCommand,
  permissionsCommand,
  planCommand,
  runPluginCommand,
  skillsCommand,
  tasksCommand,
} from './plugin-commands.js'
import { flagsCommand, hooksCommand, pluginsCommand } from './plugins.js'
import { clearCommand, rewindCommand, undoCommand } from './rewind.js'
import { doctorCommand, exitCommand, modelCommand, resumeCommand, takeUpCommand } from './session.js'
import {
  misuse,
  refusal,
  type SlashCommand,
  type SlashContext,
  type SlashOutput,
  say,
  startingWith,
} from './slash-command.js'

const HELP_EXAMPLE = '/help compact'

/** Lists all commands, or tells more of one. */
const helpCommand: SlashCommand = {
  name: 'help',
  help: 'Lists the commands; with a name, tells more of that one.',
  example: HELP_EXAMPLE,
  complete: (typed, context) => startingWith(typed, namesIn(context)),
  run: async (args, context) => (args === '' ? helpList(context) : helpOn(args, context)),
}

/** Every command of the program, by name. Those of plugins come with each session. */
export const ALL_SLASH_COMMANDS: readonly SlashCommand[] = [
  agentsCommand,
  cacheCommand,
  clearCommand,
  compactCommand,
  contextCommand,
  costCommand,
  doctorCommand,
  dreamCommand,
  exitCommand,
  flagsCommand,
  helpCommand,
  hooksCommand,
  logCommand,
  mcpCommand,
  memoryCommand,
  modelCommand,
  permissionsCommand,
  planCommand,
  pluginsCommand,
  receiptCommand,
  resumeCommand,
  rewindCommand,
  skillsCommand,
  takeUpCommand,
  tasksCommand,
  undoCommand,
]

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
  const others = otherCommands(context).map((command) => command.name)
  const found = findSlashCommand(name, others)
  if (found.command) return found.command.run(args, context)
  const other = longestOf(line, others)
  if (other !== undefined) return say(await runPluginCommand(session, other, line.slice(other.length).trim()), context)
  const hint = found.near.length > 0 ? `Did you mean ${found.near.map((near) => `/${near}`).join(' or ')}?` : ''
  return refusal(`There is no command /${name}. ${hint}${hint && ' '}/help lists them all.`, context)
}

/** The commands that plugins bring and the program has none of its own for. A name may have several words. */
function otherCommands({ opened }: SlashContext): ReturnType<Session['commands']> {
  const taken = new Set(ALL_SLASH_COMMANDS.map(({ name }) => name))
  return opened.session.commands().filter(({ name }) => !taken.has(name.split(' ')[0] ?? ''))
}

/** Of `memory session` and `memory` the longer one is meant where both would do. */
function longestOf(line: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) => line === name || line.startsWith(`${name} `))
    .sort((a, b) => b.length - a.length)
    .at(0)
}

type FoundCommand = { readonly command: SlashCommand } | { readonly command?: never; readonly near: readonly string[] }

/** A command of the program by its name, or the names that were probably meant. `others`: names of plugins' commands. */
export function findSlashCommand(name: string, others: readonly string[] = []): FoundCommand {
  const wanted = name.replace(/^\//, '').toLowerCase()
  const command = ALL_SLASH_COMMANDS.find((each) => each.name === wanted)
  if (command) return { command }
  return { near: nearNames(wanted, [...ALL_SLASH_COMMANDS.map((each) => each.name), ...others]) }
}

/** The first names that begin as the one that was typed does; where none does, the one that a slip would make of it. */
function nearNames(typed: string, known: readonly string[]): readonly string[] {
  const begun = typed === '' ? [] : known.filter((name) => name.startsWith(typed))
  if (begun.length > 0) return begun.slice(0, 3)
  const nearest = nearestWord(typed, known)
  // In a short word two slips leave nothing of it.
  const isNear = nearest !== undefined && (typed.length > 3 || nearest[0] === typed[0])
  return isNear ? [nearest] : []
}

/** A line that may be meant, whole, with what it would do. */
interface Completion {
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
  return [...ALL_SLASH_COMMANDS, ...otherCommands(context)]
    .filter((each) => each.name.startsWith(line.toLowerCase()))
    .map((each) => ({ line: `/${each.name}`, help: each.help.split('\n')[0] ?? '' }))
    .sort((a, b) => (a.line < b.line ? -1 : 1))
}

function namesIn(context: SlashContext): readonly string[] {
  return [...ALL_SLASH_COMMANDS, ...otherCommands(context)].map(({ name }) => name)
}

function helpList(context: SlashContext): SlashOutput {
  const others = otherCommands(context)
  const heading = (text: string) => paint(text, 'bold', context.hasColour)
  const firstLine = (text: string) => cleanText(text).split('\n')[0] ?? ''
  const parts = [
    heading('Commands'),
    ...definitions(
      ALL_SLASH_COMMANDS.map(({ name, help }) => [`/${name}`, help] as const),
      context,
    ),
    ...(others.length > 0 ? ['', heading('Of plugins')] : []),
    ...definitions(
      others.map(({ name, help, owner }) => [`/${name}`, `${firstLine(help)} (${owner})`] as const),
      context,
    ),
    '',
    say(`${HELP_EXAMPLE} tells more of one.`, context).text,
  ]
  return { text: parts.join('\n') }
}

function helpOn(typed: string, context: SlashContext): SlashOutput {
  const name = typed.replace(/^\//, '').toLowerCase()
  const found = ALL_SLASH_COMMANDS.find((command) => command.name === name)
  if (found) {
    const { text } = say(`/${name}\n${found.help}\nFor example: ${found.example}`, context)
    const more = found.more ? ['', ...definitions(found.more(), context)] : []
    return { text: [text, ...more].join('\n') }
  }
  const other = otherCommands(context).find((command) => command.name === name)
  if (other) return say(`/${name}, of the plugin ${other.owner}\n${other.help}\nFor example: /${name}`, context)
  const near = nearNames(name, namesIn(context)).map((each) => `/${each}`)
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return misuse(`There is no command /${name}.${hint}`, { example: HELP_EXAMPLE }, context)
}
