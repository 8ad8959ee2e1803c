/** Decides by a seed: the same seed, the same decisions. */
export interface Chance {
  /** A whole number below this one. */
  below(end: number): number
  pick<T>(from: readonly T[]): T
  /** Whether something is so that is so this often. */
  happens(often: number): boolean
}

export function chanceOf(seed: number): Chance {
  let state = Math.imul(2 * seed + 1, 0x9e3779b1) >>> 0
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    pick<T>(from: readonly T[]) {
      return from[below(from.length)] as T
    },
    happens: (often) => next() < often,
  }
}

/** Whether the numbers of system calls are those that commands ask by. */
export const KNOWS_CALLS = process.platform === 'linux' && process.arch === 'x64'

/** How words are said to a shell. */
export interface Tongue extends Chance {
  /** A word that a shell reads as this text, in one of many spellings. */
  word(text: string): string
  /** A path: as a word, or by a variable or a tilde where it begins at home. */
  path(text: string): string
  /** A number that nothing else in the command has. */
  fresh(): number
}

/** A tongue, or a plain one that quotes whatever it says the same way and decides all else as the other. `first` is the first fresh number. */
export function tongueOf(seed: number, isPlain: boolean, first: number): Tongue {
  const spelling = chanceOf(seed + 0.5)
  let count = first
  const word = (text: string) => (isPlain ? parts(text).map(inSingleQuotes).join('') : spelled(text, spelling)) || "''"
  return {
    ...chanceOf(seed),
    word,
    path(text) {
      const [, rest] = /^@HOME@\/(.+)$/s.exec(text) ?? []
      if (isPlain || rest === undefined || spelling.happens(0.4)) return word(text)
      const home = spelling.pick(['~', '"$HOME"', '$HOME', '~+/../home', '"$(printenv HOME)"'])
      // A dot that is quoted is one too, but a star finds no name that begins with one.
      return `${home}/${spelling.happens(0.2) ? starred(rest, spelling) : word(rest)}`
    },
    fresh: () => count++,
  }
}

/** What stands between at signs is filled in later, so that it can't be spelled in any other way. */
function parts(text: string): string[] {
  return text.split(/(@[A-Z0-9]+@)/).filter((part) => part !== '')
}

function inSingleQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function inDoubleQuotes(text: string): string {
  return `"${text.replace(/[\\$`"]/g, '\\$&')}"`
}

/** Most words are said in one piece, since a long one in many spellings makes many processes. */
function spelled(text: string, chance: Chance): string {
  const isShort = text.length < 30
  return parts(text)
    .flatMap((part) =>
      isShort && part.length > 2 && !isToken(part) && chance.happens(0.2) ? cut(part, chance) : [part],
    )
    .map((part) => (isToken(part) ? chance.pick([inSingleQuotes, inDoubleQuotes])(part) : spelledPart(part, chance)))
    .join('')
}

function isToken(part: string): boolean {
  return /^@[A-Z0-9]+@$/.test(part)
}

function cut(part: string, chance: Chance): string[] {
  const at = 1 + chance.below(part.length - 1)
  return [part.slice(0, at), part.slice(at)]
}

function spelledPart(part: string, chance: Chance): string {
  if (chance.happens(0.3) && /^[\w/.,+-]+$/.test(part)) return part
  if (chance.happens(0.75)) return chance.pick([inSingleQuotes, inDoubleQuotes, withBackslashes])(part)
  const isAscii = [...part].every((letter) => letter.charCodeAt(0) < 128)
  // A substitution drops the newlines at the end.
  if (!isAscii || part.endsWith('\n')) return inSingleQuotes(part)
  const isLine = !part.includes('\n')
  return chance.pick([
    inHex,
    inOctal,
    ...(part.length < 400 ? [asPrinted, inBase64] : []),
    ...(isLine ? [turned] : []),
  ])(part)
}

function withBackslashes(text: string): string {
  return text.replace(/[^\w/.,:+\n-]/gu, '\\$&').replaceAll('\n', "'\n'")
}

function inHex(text: string): string {
  return `$'${[...text].map((letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`
}

const octal = (text: string) =>
  [...text].map((letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')

function inOctal(text: string): string {
  return `$'${octal(text)}'`
}

function asPrinted(text: string): string {
  return `"$(printf '${octal(text)}')"`
}

function inBase64(text: string): string {
  return `"$(echo ${Buffer.from(text).toString('base64')} | base64 -d)"`
}

function turned(text: string): string {
  return `"$(rev <<< ${inSingleQuotes([...text].reverse().join(''))})"`
}

function starred(path: string, chance: Chance): string {
  return path
    .split('/')
    .map((name) => {
      const at = name.length - 1 - chance.below(Math.max(name.length - 2, 1))
      return at < 2 || !/^[\w.-]+$/.test(name)
        ? inSingleQuotes(name)
        : `${name.slice(0, at)}${chance.pick(['?', '*'])}${name.slice(at + 1)}`
    })
    .join('/')
}
