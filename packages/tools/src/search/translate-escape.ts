/** A pattern, and how far it was read. */
export interface Cursor {
  readonly pattern: string
  at: number
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
export function translateEscape(cursor: Cursor): string {
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
export function translateMember(cursor: Cursor): string {
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
export function literal(char: string): string {
  return /[^\w\s\u0080-\u{10ffff}]/u.test(char) ? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}` : char
}

/** The error for what ripgrep can do and this search can not. */
export function unsupported(what: string): Error {
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
