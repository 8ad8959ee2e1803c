import { existsSync, lstatSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { leadsTo } from '../../paths.js'
import type { CommandWord } from './command-word.js'
import { HARMLESS_COMMANDS, harmlessOperands } from './harmless-commands.js'
import { harmlessGit } from './harmless-git.js'
import { HARMLESS_PROGRAMS } from './harmless-programs.js'
import { type CommandPart, type CommandRedirect, nameOf, type ParsedCommand, parseCommand } from './parse-command.js'

/** Whether a command line plainly does nothing but read and print, whatever it is made of. */
export function isReadOnlyCommand(command: string, cwd = process.cwd()): boolean {
  return isReadOnly(parseCommand(command, cwd))
}

/** The same for one that is parsed already. */
export function isReadOnly({ parts, unclear }: ParsedCommand): boolean {
  if (unclear.length > 0) return false
  return parts.every((part) => harmlessReads(part) !== undefined && writesOf(part).length === 0)
}

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

/** A file that a part opens, by the word that names it. */
export interface FileAccess {
  readonly kind: 'read' | 'write'
  readonly word: CommandWord
  /** Of a redirection, which no rule about the command speaks of. */
  readonly isRedirect: boolean
}

/** The files that a part plainly opens; `reads` are those that it only reads. */
export function commandFiles(part: CommandPart, reads: readonly CommandWord[]): FileAccess[] {
  const read = reads.map((word) => ({ kind: 'read' as const, word, isRedirect: false }))
  const redirected = redirectAccesses(part).filter(({ kind }) => kind === 'read')
  return [...read, ...redirected, ...copiedBy(part), ...writesOf(part)]
}

const NOWHERE = /^\/dev\/(null|stdout|stderr|stdin|tty|zero|fd\/\d+)$/

/** What the redirections of a part open. */
function redirectAccesses({ redirects }: CommandPart): FileAccess[] {
  return redirects.flatMap((redirect) => {
    const { operator, target } = redirect
    if (isDescriptor(redirect) || (target.kind === 'static' && NOWHERE.test(target.text))) return []
    const kind = operator === '<' && !/^\/dev\/(tcp|udp)\//.test(target.text) ? ('read' as const) : ('write' as const)
    return [{ kind, word: target, isRedirect: true }]
  })
}

function isDescriptor({ operator, target }: CommandRedirect): boolean {
  return (operator === '>&' || operator === '<&') && target.kind === 'static' && /^(\d+-?|-)$/.test(target.text)
}

/** Which of its words a command writes to. */
const WRITERS: Readonly<Record<string, (operands: readonly CommandWord[]) => readonly CommandWord[]>> = {
  chmod: (operands) => operands.slice(1),
  chown: (operands) => operands.slice(1),
  cp: into,
  install: into,
  ln: into,
  mkdir: (operands) => operands,
  mv: (operands) => [...operands, ...into(operands)],
  rm: (operands) => operands,
  rmdir: (operands) => operands,
  rsync: (operands) => operands.slice(-1),
  shred: (operands) => operands,
  tee: (operands) => operands,
  touch: (operands) => operands,
  truncate: (operands) => operands,
  unlink: (operands) => operands,
}

/** The last one, or in it, should it be a folder, what has the name of another. */
function into(operands: readonly CommandWord[]): readonly CommandWord[] {
  const target = operands.at(-1)
  if (!target) return []
  const inside = operands
    .slice(0, -1)
    .filter(({ kind }) => kind === 'static')
    .map(({ text }) => ({ ...target, text: `${target.text}/${basename(text)}` }))
  return [target, ...inside]
}

/** What a part reads to have it elsewhere. */
function copiedBy(part: CommandPart): FileAccess[] {
  if (!/^(cp|mv|install)$/.test(basename(nameOf(part) ?? ''))) return []
  const operands = part.words.slice(1).filter(({ text }) => !text.startsWith('-'))
  return operands.map((word) => ({ kind: 'read' as const, word, isRedirect: false }))
}

/** What a part plainly writes to, as far as that shows. */
export function writesOf(part: CommandPart): FileAccess[] {
  const redirects = redirectAccesses(part).filter(({ kind }) => kind === 'write')
  return [...redirects, ...writtenWords(part).map((word) => ({ kind: 'write' as const, word, isRedirect: false }))]
}

function writtenWords(part: CommandPart): readonly CommandWord[] {
  const args = part.words.slice(1)
  const name = basename(nameOf(part) ?? '')
  const operands = args.filter(({ text }) => !text.startsWith('-') || text === '-')
  if (name === 'dd') return valuesOf(args, /^of=/)
  if (name === 'sed') return args.some(({ text }) => /^(-[a-zA-Z]*i|--in-place)/.test(text)) ? operands.slice(1) : []
  if (name === 'sort') return [...valuesOf(args, /^--output=/), ...following(args, /^(-o|--output)$/)]
  if (name === 'find')
    return args.some(({ text }) => text === '-delete')
      ? operands.slice(0, 1)
      : following(args, /^-f(print0?|printf|ls)$/)
  const target = [...valuesOf(args, /^--target-directory=/), ...following(args, /^(-t|--target-directory)$/)]
  const written = Object.hasOwn(WRITERS, name) ? (WRITERS[name]?.(operands) ?? []) : []
  return name === 'cp' || name === 'mv' || name === 'install' || name === 'ln' ? [...written, ...target] : written
}

function valuesOf(args: readonly CommandWord[], flag: RegExp): CommandWord[] {
  return args.filter(({ text }) => flag.test(text)).map((word) => ({ ...word, text: word.text.replace(flag, '') }))
}

function following(args: readonly CommandWord[], flag: RegExp): CommandWord[] {
  return args.filter((_, at) => flag.test(args[at - 1]?.text ?? ''))
}

/**
 * Every text in a part that may name a file: for rules that forbid one, it is enough that it is named. Of a part that only
 * reads it is known which of its words are files.
 */
export function mentionsOf(part: CommandPart, reads: readonly CommandWord[] | undefined): CommandWord[] {
  const args = part.words.slice(1)
  if (!reads || part.wrapper) return args.flatMap(namesIn)
  if (takesText(part)) return []
  const flags = args.filter(({ text }) => text.startsWith('-'))
  return [...reads, ...flags, ...following(args, NAMING)].flatMap(namesIn)
}

/** Flags of what only reads whose next word may choose files. */
const NAMING = /^(-\w*[gL]|--i?glob)$/

function takesText(part: CommandPart): boolean {
  const name = nameOf(part) ?? ''
  const operands = Object.hasOwn(HARMLESS_COMMANDS, name) ? HARMLESS_COMMANDS[name]?.operands : undefined
  return operands === 'text' || operands === 'none'
}

function namesIn(word: CommandWord): CommandWord[] {
  const { kind, text } = word
  if (kind !== 'static') return [word]
  const at = [text.indexOf('='), text.indexOf('@'), text.indexOf(':')].filter((index) => index !== -1)
  const short = /^-[^-]./.test(text) ? [text.slice(2)] : []
  const variants = [text, ...short, ...at.map((index) => text.slice(index + 1)), ...text.split(/[=@:;,]/)]
  // Behind `name=` a shell puts in the home as well.
  const homes = variants.filter((variant) => variant.startsWith('~/')).map((variant) => homedir() + variant.slice(1))
  return [...new Set([...variants, ...homes])]
    .filter((variant) => variant !== '')
    .map((variant) => ({ ...word, text: variant }))
}

interface WordPath {
  readonly given: string
  readonly real: string
}

const MOST_PATHS = 2000

/** These lead elsewhere for the command than they do here. */
const OWN_TO_PROCESSES = /\/proc\/[^/]+\/(task\/[^/]+\/)?(cwd|fd|map_files)(\/|$)|^\/dev\/fd\/(?!63$)/

/** The files that a word names, wherever its part may run; nothing when that is not known before it runs. */
export function wordPaths(word: CommandWord, { folders }: CommandPart): readonly WordPath[] | undefined {
  const { kind, text } = word
  if (kind !== 'static' && kind !== 'glob') return undefined
  if (OWN_TO_PROCESSES.test(text)) return undefined
  const starts = isAbsolute(text) ? ['/'] : folders
  if (starts.length === 0) return undefined
  const named = starts.map((folder) => pathIn(folder, text))
  if (kind === 'static') return named
  if (isTooWide(text)) return undefined
  const found = starts.flatMap((folder) => expand(text, folder))
  return found.length > MOST_PATHS ? undefined : [...named, ...found]
}

/** To look up many stars, one below the other, would be to read whole disks. */
function isTooWide(pattern: string): boolean {
  const wild = pattern.split('/').filter((segment) => /[*?[]/.test(segment)).length
  return wild > (isAbsolute(pattern) || pattern.includes('..') ? 2 : 4)
}

function pathIn(folder: string, text: string): WordPath {
  return { given: resolve(folder, text), real: leadsTo(text, folder) }
}

/** As a shell does: a star stays within a folder and leaves hidden files out. */
function expand(pattern: string, cwd: string): WordPath[] {
  const options = { cwd, absolute: true, onlyFiles: false, expandDirectories: false, followSymbolicLinks: true }
  return globSync(pattern.replace(/\*{2,}/g, '*'), options).map((path) => pathIn('/', path.replace(/\/$/, '')))
}

/** Commands that do to files what the editing tools do, with the flags that change nothing about where. */
const EDITS: Readonly<Record<string, RegExp>> = {
  cp: /^-[fnv]+$/,
  mkdir: /^-[pv]+$/,
  mv: /^-[fnv]+$/,
  tee: /^-a$/,
  touch: /^-[acm]+$/,
}

/**
 * Whether a part is an edit. One that moves things may move a link, and what is written behind it would then lead
 * elsewhere: so it has to be the only one that writes.
 */
export function isEdit({ words, assignments, wrapper }: CommandPart, isOnlyWriter: boolean): boolean {
  const [name, ...args] = words
  if (name?.kind !== 'static' || wrapper || assignments.length > 0 || !Object.hasOwn(EDITS, name.text)) return false
  if (!isOnlyWriter && (name.text === 'cp' || name.text === 'mv')) return false
  return args.every(({ kind, text }) => kind === 'static' && (!text.startsWith('-') || EDITS[name.text]?.test(text)))
}
