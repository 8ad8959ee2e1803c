interface Cursor {
  readonly glob: string
  readonly dots: boolean
  at: number
}

/**
 * The regular expression of a glob, in the dialect of ripgrep and of ignore files: `*`, `?`, `**`, `[a-z]`, `{a,b}` and
 * `\`; all else, brackets of routes such as `(group)` too, is literal. No library speaks that dialect.
 * Without `dots` a wildcard does not match a name that begins with a dot. Throws a message for the model.
 */
export function globExpression(glob: string, { dots = false } = {}): RegExp {
  const cursor: Cursor = { glob, dots, at: 0 }
  const source = sequence(cursor, false)
  return new RegExp(`^${source}$`, 'u')
}

function sequence(cursor: Cursor, isInside: boolean): string {
  const { glob } = cursor
  const branches: string[] = []
  let branch = ''
  while (cursor.at < glob.length) {
    const char = glob[cursor.at]
    if (isInside && (char === ',' || char === '}')) {
      branches.push(branch)
      branch = ''
      cursor.at += 1
      if (char === '}') return `(?:${branches.join('|')})`
    } else branch += next(cursor)
  }
  if (isInside) throw new Error(`The glob ${glob} has a { without its }. Write \\{ for the character itself.`)
  return branch
}

function next(cursor: Cursor): string {
  const { glob, at } = cursor
  const isFirst = at === 0 || '/{,'.includes(glob[at - 1] ?? '')
  const guard = isFirst && !cursor.dots ? '(?!\\.)' : ''
  const char = String.fromCodePoint(glob.codePointAt(at) ?? 0)
  cursor.at += char.length
  if (char === '*') return stars(cursor, guard, isFirst)
  if (char === '?') return `${guard}[^/]`
  if (char === '{') return sequence(cursor, true)
  if (char === '[') return `${guard}${characterClass(cursor)}`
  if (char === '\\' && cursor.at < glob.length) {
    const escaped = String.fromCodePoint(glob.codePointAt(cursor.at) ?? 0)
    cursor.at += escaped.length
    return literal(escaped)
  }
  return literal(char)
}

function stars(cursor: Cursor, guard: string, isFirst: boolean): string {
  const { glob } = cursor
  const start = cursor.at
  while (glob[cursor.at] === '*') cursor.at += 1
  const isDouble = isFirst && cursor.at === start + 1
  const segment = `${guard}[^/]+`
  if (isDouble && cursor.at === glob.length) return `${segment}(?:/${segment})*`
  if (isDouble && glob[cursor.at] === '/') {
    cursor.at += 1
    return `(?:${segment}/)*`
  }
  return `${guard}[^/]*`
}

function characterClass(cursor: Cursor): string {
  const { glob } = cursor
  const isNegated = '!^'.includes(glob[cursor.at] ?? ' ')
  if (isNegated) cursor.at += 1
  const end = glob.indexOf(']', cursor.at + 1)
  if (end === -1) throw new Error(`The glob ${glob} has a [ without its ]. Write \\[ for the character itself.`)
  const members = [...glob.slice(cursor.at, end)].map((char) => (char === '-' ? char : classLiteral(char))).join('')
  const inside = members.replace(/^-|-$/g, '\\-')
  cursor.at = end + 1
  return `(?!/)[${isNegated ? '^' : ''}${inside}]`
}

function literal(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char
}

function classLiteral(char: string): string {
  return /[\\^[\]]/.test(char) ? `\\${char}` : char
}
