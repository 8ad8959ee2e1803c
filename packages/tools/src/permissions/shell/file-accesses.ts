import { homedir } from 'node:os'
import { basename } from 'node:path'
import { type CommandPart, type CommandRedirect, nameOf } from './command-part.js'
import type { CommandWord } from './command-word.js'
import { HARMLESS_COMMANDS } from './harmless-commands.js'

/** A file that a part opens, by the word that names it. */
export interface FileAccess {
  readonly kind: 'read' | 'write'
  readonly word: CommandWord
  /** Of a redirection, which no rule about the command speaks of. */
  readonly isRedirect: boolean
}

const NOWHERE = /^\/dev\/(null|stdout|stderr|stdin|tty|zero|fd\/\d+)$/

/** What the redirections of a part open. */
export function redirectAccesses({ redirects }: CommandPart): FileAccess[] {
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
export function copiedBy(part: CommandPart): FileAccess[] {
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
