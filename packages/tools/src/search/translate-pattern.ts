/** A pattern, and how far it was read. */
interface Cursor {
  readonly pattern: string
  at: number
}

interface Flags {
  readonly dotAll: boolean
  readonly multiline: boolean
  readonly verbose: boolean
}

// Lines end at a line feed, with or without a carriage return, as ripgrep does it with --crlf.
const LINE_START = '(?<=^|[\\r\\n])(?<!\\r(?=\\n))'
const LINE_END = '(?:(?=[\\r\\n])(?<!\\r(?=\\n))|$)'
const REPETITION = /^(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\})\??/

interface PatternOptions {
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

const POSIX: Readonly<Record<string, string>> = {
  alnum: '[0-9A-Za-z]',
  alpha: '[A-Za-z]',
  ascii: '[\\x00-\\x7f]',
  blank: '[\\t ]',
  cntrl: '[\\x00-\\x1f\\x7f]',
  digit: '[0-9]',
  graph: '[!-~]',
  lower: '[a-z]',
  print: '[ -~]',
  punct: '[!-\\/:-@\\[-`\\{-~]',
  space: '[\\t\\n\\v\\f\\r ]',
  upper: '[A-Z]',
  word: '[0-9A-Za-z_]',
  xdigit: '[0-9A-Fa-f]',
}

/** Translates a class from behind its bracket: nested classes, names as `[:alpha:]`, and `&&`, `--`, `~~`. */
function translateClass(cursor: Cursor): string {
  const { pattern } = cursor
  const isNegated = pattern[cursor.at] === '^'
  if (isNegated) cursor.at += 1
  // A bracket that comes first is one of the characters.
  const start = cursor.at
  const operands: string[] = []
  let members = ''
  let operator = ''
  for (;;) {
    const rest = pattern.slice(cursor.at)
    if (rest === '') throw new Error('unclosed character class')
    if (rest.startsWith(']') && cursor.at > start) break
    const found = /^(?:&&|--|~~)/.exec(rest)?.[0]
    if (found && cursor.at > start) {
      if (found === '~~' || (operator !== '' && operator !== found))
        throw new Error(`${found} is not supported here without ripgrep`)
      operator = found
      operands.push(`[${members}]`)
      members = ''
      cursor.at += 2
    } else members += member(cursor)
  }
  cursor.at += 1
  const all = [...operands, `[${members}]`]
  return `[${isNegated ? '^' : ''}${operator === '' ? members : all.join(operator)}]`
}

function member(cursor: Cursor): string {
  const from = single(cursor)
  const rest = cursor.pattern.slice(cursor.at)
  if (!/^-[^\]-]/.test(rest) || /^(?:\[|\\[pP])/.test(from)) return from
  cursor.at += 1
  return `${from}-${single(cursor)}`
}

function single(cursor: Cursor): string {
  const rest = cursor.pattern.slice(cursor.at)
  const named = /^\[:(\^?)(\w+):\]/.exec(rest)
  if (named) {
    const known = POSIX[named[2] ?? '']
    if (!known) throw new Error(`unknown class ${named[0]}`)
    cursor.at += named[0].length
    return named[1] ? `[^${known}]` : known
  }
  const char = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  cursor.at += char.length
  if (char === '[') return translateClass(cursor)
  return char === '\\' ? translateMember(cursor) : literal(char)
}

/** What stands inside a class for the word characters of Unicode. */
const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}'

/** The classes of one letter, as they stand inside of brackets. */
const LETTERS: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  s: '\\p{White_Space}',
  S: '\\P{White_Space}',
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
}

const CHARACTERS: Readonly<Record<string, string>> = {
  n: '\\n',
  r: '\\r',
  t: '\\t',
  f: '\\f',
  v: '\\v',
  a: '\\x07',
  e: '\\x1b',
}

const STARTS = `(?<![${WORD}])(?=[${WORD}])`
const ENDS = `(?<=[${WORD}])(?![${WORD}])`

const PLACES: Readonly<Record<string, string>> = {
  b: `(?:${STARTS}|${ENDS})`,
  B: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  A: '^',
  z: '$',
  '<': STARTS,
  '>': ENDS,
}

/** Translates what follows a backslash outside of a class. */
function translateEscape(cursor: Cursor): string {
  const rest = cursor.pattern.slice(cursor.at)
  const special = /^b\{(start|end)\}/.exec(rest)
  if (special) {
    cursor.at += special[0].length
    return special[1] === 'start' ? STARTS : ENDS
  }
  const back = /^(?:[1-9]\d?|k<[A-Za-z_]\w*>)/.exec(rest)
  if (back) {
    cursor.at += back[0].length
    return `\\${back[0]}`
  }
  const place = PLACES[rest[0] ?? '']
  if (place) cursor.at += 1
  return place ?? translateMember(cursor)
}

/** Translates what follows a backslash where a character or a class of them may stand. */
function translateMember(cursor: Cursor): string {
  const { pattern } = cursor
  const rest = pattern.slice(cursor.at)
  const char = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  if (rest === '') throw new Error('incomplete escape sequence: the pattern ends with a backslash')
  const point = /^(?:x([0-9A-Fa-f]{2})|[xuU]\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))/.exec(rest)
  if (point) {
    cursor.at += point[0].length
    const code = Number.parseInt(point.slice(1).find(Boolean) ?? '0', 16)
    if (code > 0x10ffff) throw new Error(`there is no character ${point[0]}`)
    return `\\u{${code.toString(16)}}`
  }
  const property = /^([pP])(?:\{(\^?)([^}]*)\}|([A-Z]))/.exec(rest)
  if (property) {
    cursor.at += property[0].length
    const [, letter = 'p', negation = '', name, short] = property
    return unicodeProperty((letter === 'P') !== (negation === '^') ? 'P' : 'p', name ?? short ?? '')
  }
  cursor.at += char.length
  const known = LETTERS[char] ?? CHARACTERS[char]
  if (known) return known
  if (/[A-Za-z0-9]/.test(char)) throw new Error(`unrecognized escape sequence: \\${char}`)
  return literal(char)
}

/** A character that means itself, inside of a class and outside. */
function literal(char: string): string {
  return /[^\w\s\u0080-\u{10ffff}]/u.test(char) ? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}` : char
}

/** The error for what ripgrep can do and this search can not. */
function unsupported(what: string): Error {
  return new Error(`Without ripgrep installed there is no support for ${what}.`)
}

function unicodeProperty(letter: 'p' | 'P', name: string): string {
  const forms = [name, `Script=${name}`, `Script=${name.slice(0, 1).toUpperCase()}${name.slice(1).toLowerCase()}`]
  const known = forms.map((form) => `\\${letter}{${form}}`).find(isProperty)
  if (!known) throw new Error(`Unicode property not found: ${name}`)
  return known
}

function isProperty(source: string): boolean {
  try {
    return new RegExp(source, 'v') !== undefined
  } catch {
    return false
  }
}
