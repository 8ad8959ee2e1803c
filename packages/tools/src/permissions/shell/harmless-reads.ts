import { existsSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { leadsTo } from '../leads-to.js'
import { type CommandPart, nameOf } from './command-part.js'
import type { CommandWord } from './command-word.js'
import { HARMLESS_COMMANDS } from './harmless-commands.js'
import { harmlessOperands } from './harmless-flags.js'
import { harmlessGit } from './harmless-git.js'
import { HARMLESS_PROGRAMS } from './harmless-programs.js'

/** Variables that change how something is printed and nothing that is run. */
const HARMLESS_VARIABLES = new Set(
  'CI COLUMNS FORCE_COLOR LANG LANGUAGE LINES NODE_ENV NO_COLOR RUST_BACKTRACE TERM TZ CLICOLOR'.split(' '),
)

/** Whether what a part sets can change neither which program runs nor what it runs. */
export function setsNothing({ assignments }: CommandPart): boolean {
  return assignments.every(({ name }) => HARMLESS_VARIABLES.has(name) || name.startsWith('LC_'))
}

/** What a part reads when it plainly does nothing but read and print; nothing when it may do more. Leaves redirections out. */
export function harmlessReads(part: CommandPart): readonly CommandWord[] | undefined {
  if (!setsNothing(part)) return undefined
  const [, ...args] = part.words
  if (part.words.length === 0) return []
  const name = nameOf(part)
  if (name === undefined) return undefined
  if (isProgram(name)) return HARMLESS_PROGRAMS[name]?.(args) ?? (name === 'command' ? throughReads(part) : undefined)
  if (name === 'git') return gitReads(part, args)
  const command = Object.hasOwn(HARMLESS_COMMANDS, name) ? HARMLESS_COMMANDS[name] : undefined
  const operands = command && harmlessOperands(args, command)
  if (!command || !operands) return throughReads(part)
  if (command.operands === 'text' || command.operands === 'none') return []
  const reads = command.operands === 'pattern' ? afterPattern(operands, args) : operands
  return reads.every(isKnown) ? reads : undefined
}

function isProgram(name: string): boolean {
  return Object.hasOwn(HARMLESS_PROGRAMS, name)
}

/** What runs another command and adds nothing reads nothing by itself. */
function throughReads({ wrapper }: CommandPart): readonly CommandWord[] | undefined {
  return wrapper === 'transparent' ? [] : undefined
}

function afterPattern(operands: readonly CommandWord[], args: readonly CommandWord[]): readonly CommandWord[] {
  const [first] = operands
  return args.some(givesPattern) || (first && !isOneWord(first)) ? operands : operands.slice(1)
}

const PATTERN_FLAGS = ['--regexp', '--file', '--files', '--from-file']

/** In its own word or the next, shortened or in full. */
function givesPattern({ text }: CommandWord): boolean {
  const name = text.split('=', 1)[0] ?? text
  return /^-[a-zA-Z\d]*[ef]/.test(text) || (/^--\w/.test(name) && PATTERN_FLAGS.some((flag) => flag.startsWith(name)))
}

/** Without quotes, what is not known may become several words: a pattern, and files behind it. */
function isOneWord({ kind, source }: CommandWord): boolean {
  return kind === 'static' || kind === 'listed' || /^"[^"@]*"$/.test(source)
}

function isKnown({ kind }: CommandWord): boolean {
  return kind === 'static' || kind === 'glob' || kind === 'listed'
}

/** Git obeys the settings of the folder it finds itself in: one that only looks like a repository could say anything. */
function gitReads({ folders }: CommandPart, args: readonly CommandWord[]): readonly CommandWord[] | undefined {
  const harmless = harmlessGit(args)
  if (!harmless || folders.length === 0) return undefined
  const { operands, folder } = harmless
  const places = folder ? folders.map((place) => leadsTo(folder.text, place)) : folders
  return places.some(isDisguised) ? undefined : operands.filter(isKnown)
}

function isDisguised(folder: string): boolean {
  const has = (name: string) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined
  if (existsSync(join(folder, '.git', 'HEAD')) || isFile(join(folder, '.git'))) return false
  if (has('HEAD') && (has('objects') || has('commondir'))) return true
  return dirname(folder) !== folder && isDisguised(dirname(folder))
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
