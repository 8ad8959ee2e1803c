import { type Cursor, literal, translateMember } from './translate-escape.js'

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
export function translateClass(cursor: Cursor): string {
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
