import { translateClass } from './translate-class.js'
import { type Cursor, translateEscape, unsupported } from './translate-escape.js'

interface Flags {
  readonly dotAll: boolean
  readonly multiline: boolean
  readonly verbose: boolean
}

// Lines end at a line feed, with or without a carriage return, as ripgrep does it with --crlf.
const LINE_START = '(?<=^|[\\r\\n])(?<!\\r(?=\\n))'
const LINE_END = '(?:(?=[\\r\\n])(?<!\\r(?=\\n))|$)'
const REPETITION = /^(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\})\??/

export interface PatternOptions {
  readonly ignoresCase: boolean
  readonly isMultiline: boolean
}

/**
 * A pattern of ripgrep as a regular expression of JavaScript: classes know Unicode, and lines end where they do for
 * ripgrep. Throws a message that names what JavaScript has no equal for.
 */
export function translatePattern(pattern: string, { ignoresCase, isMultiline }: PatternOptions): RegExp {
  const lead = /^\(\?([a-zA-Z]*)\)/.exec(pattern)?.[1] ?? ''
  const isCaseless = ignoresCase || lead.includes('i')
  const body = lead.includes('i') ? `(?${lead.replace('i', '') || '-x'})${pattern.slice(lead.length + 3)}` : pattern
  const cursor = { pattern: body, at: 0 }
  const source = sequence(cursor, { dotAll: isMultiline, multiline: true, verbose: false }, false)
  if (cursor.at < body.length) throw new Error('unopened group')
  return new RegExp(source, isCaseless ? 'giv' : 'gv')
}

/** Whether a pattern asks for a line end outside of a class, where only a search over several lines can find it. */
export function asksForLineEnd(pattern: string): boolean {
  return /^(?:\\[^n]|\[\^?(?:\]|(?!\]))(?:\\[\s\S]|[^\]\\])*\]|[^\\[\n])*(?:\\n|\n)/.test(pattern)
}

function sequence(cursor: Cursor, outer: Flags, isInside: boolean): string {
  const { pattern } = cursor
  let flags = outer
  let source = ''
  let atom = 0
  while (cursor.at < pattern.length) {
    const rest = pattern.slice(cursor.at)
    if (rest.startsWith(')')) break
    const set = /^\(\?([a-zA-Z]*(?:-[a-zA-Z]+)?)\)/.exec(rest)
    const repeats = REPETITION.exec(rest)?.[0]
    if (set) flags = changed(flags, set[1] ?? '')
    // Rust repeats what is repeated already; here that needs a group.
    if (repeats) source = `${source.slice(0, atom)}(?:${source.slice(atom)}${repeats.replace('{,', '{0,')})`
    if (set || repeats) cursor.at += (set?.[0] ?? repeats ?? '').length
    else {
      atom = source.length
      source += one(cursor, flags)
    }
  }
  if (isInside && cursor.at === pattern.length) throw new Error('unclosed group')
  return source
}

function one(cursor: Cursor, flags: Flags): string {
  const char = String.fromCodePoint(cursor.pattern.codePointAt(cursor.at) ?? 0)
  cursor.at += char.length
  if (char === '(') return group(cursor, flags)
  if (char === '[') return translateClass(cursor)
  if (char === '\\') return translateEscape(cursor)
  if (char === '.') return flags.dotAll ? '[\\s\\S]' : '[^\\r\\n]'
  if (char === '^') return flags.multiline ? LINE_START : '^'
  if (char === '$') return flags.multiline ? LINE_END : '$'
  if (char === '{') return '\\{'
  if (flags.verbose && /\s/.test(char)) return ''
  if (flags.verbose && char === '#') throw unsupported('a comment of the flag x')
  return '}]/'.includes(char) ? `\\${char}` : char
}

function group(cursor: Cursor, flags: Flags): string {
  const rest = cursor.pattern.slice(cursor.at)
  const opening = /^\?(?::|=|!|<=|<!|P?<([A-Za-z_]\w*)>|([a-zA-Z]*(?:-[a-zA-Z]+)?):)/.exec(rest)
  if (!opening && rest.startsWith('?')) throw unsupported(`the group (${rest.slice(0, 2)}`)
  cursor.at += opening?.[0].length ?? 0
  const [whole = '', name, set] = opening ?? []
  const inside = sequence(cursor, set ? changed(flags, set) : flags, true)
  cursor.at += 1
  return `(${name ? `?<${name}>` : set ? '?:' : whole}${inside})`
}

function changed(flags: Flags, text: string): Flags {
  const [on = '', off = ''] = text.split('-')
  const strange = [...on, ...off].find((flag) => !'smx'.includes(flag))
  if (strange === 'i') throw unsupported('the flag i within a pattern: use -i')
  if (strange !== undefined) throw unsupported(`the flag ${strange}`)
  const value = (flag: string, before: boolean) => (before || on.includes(flag)) && !off.includes(flag)
  return {
    dotAll: value('s', flags.dotAll),
    multiline: value('m', flags.multiline),
    verbose: value('x', flags.verbose),
  }
}
