import { characterClass, costlyGlob, type GlobTest, isCostlyGlob } from '../costly-glob.js'
import { FILE_TYPES } from './file-types.js'
import { type BytePath, type FileFilter, pathText } from './search-question.js'

/** The filter of Glob: one pattern, relative to the folder in which it begins. */
export function globFilter(pattern: string): FileFilter {
  const { base, rest } = splitGlob(pattern)
  const expression = globExpression(rest)
  const segments = rest.split('/')
  const isDeep = rest.includes('**') || /[{[\\]/.test(rest)
  return {
    base,
    ...(!isDeep && { maxDepth: segments.length }),
    isHidden: namesDots(rest),
    ...pruning([segments.at(-1) ?? '']),
    // The walk skips what is hidden already, so that these accept all that it meets.
    ...(!['**', '**/*'].includes(rest) && { accepts: (path: BytePath) => expression.test(pathText(path)) }),
  }
}

/** The filter of Grep: globs, of which those without a slash are about names at every depth, and a type. */
export function grepFilter(globs: string | undefined, type: string | undefined): FileFilter {
  const all = splitList(globs ?? '')
  const wanted = all.filter((glob) => !glob.startsWith('!'))
  const unwanted = all.filter((glob) => glob.startsWith('!')).map((glob) => anyDepth(glob.slice(1)))
  const only = wanted.length === 1 && unwanted.length === 0 ? splitGlob(anyDepth(wanted[0] ?? '')) : undefined
  const rests = only ? [only.rest] : wanted.map(anyDepth)
  const types = typeGlobs(type)
  const groups = [rests, types?.map((glob) => `**/${glob}`) ?? []].filter((group) => group.length > 0)
  const required = groups.map((group) => group.map((glob) => globExpression(glob)))
  const refused = unwanted.flatMap((glob) => [glob, `${glob}/**`]).map((glob) => globExpression(glob, { dots: true }))
  return {
    base: only?.base ?? '.',
    isHidden: rests.some(namesDots),
    ...pruning(rests.length > 0 ? rests.map((rest) => rest.split('/').at(-1) ?? '') : (types ?? ['**'])),
    without: unwanted.filter((glob) => /^[\w.*?/-]+$/.test(glob)),
    ...(all.length + groups.length > 0 && { accepts: isWanted }),
  }

  function isWanted(path: BytePath): boolean {
    const text = pathText(path)
    if (refused.some((expression) => expression.test(text))) return false
    return required.every((group) => group.some((expression) => expression.test(text)))
  }
}

/** The folder that a glob begins with, and the part with wildcards. */
function splitGlob(glob: string): { readonly base: string; readonly rest: string } {
  const segments = glob.replace(/^(?:\.\/)+/, '').split('/')
  const found = segments.slice(0, -1).findIndex((segment) => /[*?[{\\]/.test(segment))
  const plain = found === -1 ? segments.length - 1 : found
  const base = segments.slice(0, plain).join('/')
  return { base: glob.startsWith('/') && base === '' ? '/' : base || '.', rest: segments.slice(plain).join('/') }
}

/** As in ignore files: a glob without a slash is about names at every depth, one with a slash at its end about a folder. */
function anyDepth(glob: string): string {
  const whole = glob.endsWith('/') ? `${glob}**` : glob
  return whole.includes('/') ? whole.replace(/^\//, '') : `**/${whole}`
}

function typeGlobs(type: string | undefined): readonly string[] | undefined {
  if (type === undefined) return undefined
  const globs = Object.hasOwn(FILE_TYPES, type) ? FILE_TYPES[type] : undefined
  if (!globs)
    throw new Error(
      `There is no file type ${type}. Use glob instead, or one of: ${Object.keys(FILE_TYPES).join(', ')}.`,
    )
  return globs
}

/** Only plain names prune: what every version of ripgrep reads in the same way. */
function pruning(names: readonly string[]): { readonly names?: readonly string[] } {
  const isUseful = names.every((name) => name !== '**' && name !== '*' && isPlainName(name))
  return isUseful ? { names } : {}
}

function isPlainName(name: string): boolean {
  return /^(?:[\w.*?+-]|\{[\w.*?+-]+(?:,[\w.*?+-]+)+\})+$/.test(name) && !name.includes('**')
}

function namesDots(glob: string): boolean {
  return /(?:^|[/{,])\\?\./.test(glob)
}

/** Divides at spaces and commas that are not in braces, as `*.ts, *.tsx`. */
function splitList(globs: string): string[] {
  return (globs.match(/(?:\\.|\{[^}]*\}|[^\s,])+/g) ?? []).filter((glob) => glob !== '!')
}

const MOST_CHARACTERS = 2_000

interface Cursor {
  readonly glob: string
  readonly dots: boolean
  at: number
}

/**
 * The regular expression of a glob, in the dialect of ripgrep and of ignore files: `*`, `?`, `**`, `[a-z]`, `{a,b}` and
 * `\`; all else, brackets of routes such as `(group)` too, is literal. No library speaks that dialect.
 * Without `dots` a wildcard does not match a name that begins with a dot. A glob with so many stars that an expression
 * might never come to an end is fitted in another way. Throws a message for the model.
 */
export function globExpression(glob: string, { dots = false } = {}): GlobTest {
  if (glob.length > MOST_CHARACTERS) {
    throw new Error(
      `A glob has ${glob.length} characters, and at most ${MOST_CHARACTERS} are read. Write a shorter one.`,
    )
  }
  if (isCostlyGlob(glob)) return costlyGlob(glob, { dots, hasBraces: true })
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
  if (char === '[') {
    const { source, end } = characterClass(glob, cursor.at, glob)
    cursor.at = end
    return `${guard}(?!/)${source}`
  }
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

function literal(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char
}
