import { basename } from 'node:path'
import type { CommandPart, ParsedCommand } from './command-part.js'
import type { CommandWord } from './command-word.js'
import { parseCommand } from './parse-command.js'
import { withoutGlobals } from './without-globals.js'

/** What is between the brackets of a rule for Bash, in words. */
export interface CommandPattern {
  /** `exact`: these words. `prefix`: these and any more. `wild`: a star in it stands for anything. */
  readonly kind: 'exact' | 'prefix' | 'wild'
  readonly words: readonly string[]
  readonly text: string
}

/** Reads `git diff:*`, `npm run *` or `npm run test`. */
export function commandPattern(subject: string): CommandPattern {
  const isPrefix = subject.endsWith(':*')
  const text = (isPrefix ? subject.slice(0, -2) : subject).trim()
  const words = parseCommand(text, '/').parts[0]?.words.map((word) => word.text) ?? text.split(/\s+/)
  return { kind: isPrefix ? 'prefix' : text.includes('*') ? 'wild' : 'exact', words, text }
}

/** Whether a pattern plainly speaks of a part: word by word, and only of words that are known. */
export function plainlyMatches({ kind, words }: CommandPattern, part: CommandPart): boolean {
  if (!part.words.every((word) => word.kind === 'static' || word.kind === 'glob')) return false
  const texts = part.words.map(({ text }) => text)
  const isOpen = kind === 'prefix' || (kind === 'wild' && words.at(-1) === '*')
  const fixed = kind === 'wild' && isOpen ? words.slice(0, -1) : words
  const most = isOpen ? Number.POSITIVE_INFINITY : fixed.length
  const least = kind === 'wild' && isOpen ? fixed.length + 1 : fixed.length
  if (texts.length > most || texts.length < least || part.words[0]?.kind !== 'static') return false
  return fixed.every((word, at) => (kind === 'wild' ? fits(word, texts[at] ?? '') : word === texts[at]))
}

/** Whether a pattern is the whole command line, to the letter. */
export function isWhole({ kind, text }: CommandPattern, { command }: ParsedCommand): boolean {
  return kind === 'exact' && text === command.trim()
}

/**
 * Whether a pattern that forbids may speak of a part: `yes` under any name, place or order of flags, `maybe` when words that
 * are not known stand where it looks.
 */
export function broadlyMatches(pattern: CommandPattern, part: CommandPart): 'yes' | 'maybe' | 'no' {
  const [first, ...rest] = part.words
  if (!first) return 'no'
  if (first.kind !== 'static')
    return first.kind === 'glob' && !fits(first.text, pattern.words[0] ?? '') ? 'no' : 'maybe'
  const name = basename(first.text).toLowerCase()
  const variants = [rest, name === 'git' ? withoutGlobals(rest) : rest].map((words) => [
    { ...first, text: name },
    ...words,
  ])
  const all = [[first, ...rest], ...variants]
  if (all.some((words) => matchesBroadly(pattern, words, true))) return 'yes'
  return all.some((words) => matchesBroadly(pattern, words, false)) ? 'maybe' : 'no'
}

function matchesBroadly(pattern: CommandPattern, words: readonly CommandWord[], isKnown: boolean): boolean {
  const isSure = words.every(({ kind }) => kind === 'static' || kind === 'listed')
  const texts = words.map(({ text }) => text)
  if (pattern.kind === 'wild')
    return fits(pattern.text, texts.join(' ')) || (!isKnown && !isSure && headFits(pattern, words))
  const plain = pattern.words.filter((word) => !isFlag(word))
  const wanted = pattern.words.filter(isFlag)
  const given = words.filter(({ kind, text }) => kind !== 'static' || !isFlag(text))
  const isEnough = pattern.kind === 'prefix' || given.length === plain.length
  const startsSo = plain.every((word, at) => {
    const found = given[at]
    if (!found) return !isKnown && !isSure
    return found.kind === 'static' ? found.text === word || (at === 0 && found.text.toLowerCase() === word) : !isKnown
  })
  if (!startsSo || (!isEnough && isKnown)) return false
  const flags = words.flatMap(({ text }) => flagsOf(text))
  return wanted.flatMap(flagsOf).every((flag) => flags.some((other) => isForm(other, flag))) || (!isKnown && !isSure)
}

const FORMS = [
  ['-r', '-R', '--recursive'],
  ['-f', '--force'],
]

/** Whether a flag is another one, by another name or shortened. */
function isForm(given: string, wanted: string): boolean {
  const forms = FORMS.find((flags) => flags.includes(wanted)) ?? [wanted]
  return forms.some((form) => form === given || (/^--\w/.test(given) && form.startsWith(given)))
}

function headFits({ words }: CommandPattern, [first]: readonly CommandWord[]): boolean {
  return fits(words[0] ?? '', first?.text ?? '')
}

function isFlag(text: string): boolean {
  return /^-./.test(text)
}

/** `-rf` is `-r` and `-f`. */
function flagsOf(text: string): string[] {
  if (!isFlag(text)) return []
  return text.startsWith('--') ? [text.split('=', 1)[0] ?? text] : [...text.slice(1)].map((letter) => `-${letter}`)
}

/** Whether a text fits a pattern in which a star stands for anything. */
export function fits(pattern: string, text: string): boolean {
  const source = pattern.split('*').map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${source.join('.*')}$`, 's').test(text)
}

/** Whether a pattern that forbids stands anywhere in a text that can't be parsed. */
export function standsIn({ words }: CommandPattern, text: string): boolean {
  const gap = String.raw`(?:[\s'"\\]|\$\{?IFS\}?)+`
  const source = words.map((word) =>
    word
      .split('*')
      .map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  )
  return new RegExp(`(?:^|[^\\w-])${source.join(gap)}(?:$|[^\\w-])`, 's').test(text)
}
