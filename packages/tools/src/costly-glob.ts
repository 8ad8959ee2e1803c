/** What tells whether a path fits a glob. */
export interface GlobTest {
  test(path: string): boolean
}

interface GlobOptions {
  /** Whether a wildcard stands for a dot at the start of a name. */
  readonly dots: boolean
  /** Whether `{a,b}` stands for one of the two, and not for itself. */
  readonly hasBraces: boolean
}

/**
 * Whether a regular expression made of a glob could try so many ways to fit a path that it takes seconds or years. The
 * globs that people write are not among these.
 */
export function isCostlyGlob(glob: string): boolean {
  const names = glob.split('/')
  const doubles = names.filter((name) => name === '**').length
  const isMany = names.some((name) => name !== '**' && (name.match(/\*+/g)?.length ?? 0) > 2)
  const braces = glob.match(/\{/g)?.length ?? 0
  return isMany || doubles > 2 || braces > 3 || (braces > 0 && /\{[^}]*[*{]/.test(glob))
}

/**
 * Fits paths without a regular expression, in steps of at most the length of the path times that of the glob, for each way
 * to read its braces. Throws, with words for whoever wrote it, where these are too many.
 */
export function costlyGlob(glob: string, { dots, hasBraces }: GlobOptions): GlobTest {
  const readings = hasBraces ? withoutBraces(glob) : [glob]
  const patterns = readings.map((reading) => reading.split('/').map((name) => namePattern(name, glob)))
  return {
    test(path) {
      const names = path.split('/').map((name) => [...name])
      return patterns.some((pattern) => fitsNames(pattern, names, dots))
    },
  }
}

type Name = readonly string[]

/** A name of a path as a pattern: `**` for any number of names, or letter by letter. */
type NamePattern = '**' | readonly Letter[]

/** `*`, or what one character has to be. */
type Letter = '*' | { readonly isWild: boolean; fits(char: string): boolean }

/** Name by name: where one does not fit, only the last `**` need take more of them. One at the end takes at least one. */
function fitsNames(pattern: readonly NamePattern[], names: readonly Name[], dots: boolean): boolean {
  const mayPass = (name: Name | undefined) => name?.[0] !== undefined && (dots || name[0] !== '.')
  const last = pattern.length - 1
  let [at, star, resume] = [0, -1, 0]
  for (let place = 0; place < names.length; ) {
    const here = pattern[at]
    if (here === '**' && at === last) return names.slice(place).every(mayPass)
    if (here === '**') {
      star = at++
      resume = place
    } else if (here && fitsName(here, names[place] ?? [], dots)) {
      at += 1
      place += 1
    } else if (star >= 0 && mayPass(names[resume])) {
      at = star + 1
      place = ++resume
    } else return false
  }
  return at === pattern.length
}

/** The same within a name, with its stars. */
function fitsName(pattern: readonly Letter[], name: Name, dots: boolean): boolean {
  const [first] = pattern
  if (!dots && name[0] === '.' && (first === '*' || first?.isWild)) return false
  let [at, star, resume] = [0, -1, 0]
  for (let place = 0; place < name.length; ) {
    const here = pattern[at]
    if (here === '*') {
      star = at++
      resume = place
    } else if (here?.fits(name[place] ?? '')) {
      at += 1
      place += 1
    } else if (star >= 0) {
      at = star + 1
      place = ++resume
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}

function namePattern(name: string, glob: string): NamePattern {
  if (name === '**') return name
  const letters: Letter[] = []
  for (let at = 0; at < name.length; ) {
    const char = String.fromCodePoint(name.codePointAt(at) ?? 0)
    at += char.length
    if (char === '*') {
      if (letters.at(-1) !== '*') letters.push(char)
    } else if (char === '?') letters.push({ isWild: true, fits: () => true })
    else if (char === '[') {
      const { source, end } = characterClass(name, at, glob)
      const expression = new RegExp(`^${source}$`, 'u')
      letters.push({ isWild: true, fits: (other) => expression.test(other) })
      at = end
    } else {
      const meant = char === '\\' && at < name.length ? String.fromCodePoint(name.codePointAt(at) ?? 0) : char
      if (char === '\\' && at < name.length) at += meant.length
      letters.push({ isWild: false, fits: (other) => other === meant })
    }
  }
  return letters
}

/** A class as it stands in a regular expression, from behind its bracket on. Throws a message for the model. */
export function characterClass(
  text: string,
  start: number,
  glob: string,
): { readonly source: string; readonly end: number } {
  const isNegated = '!^'.includes(text[start] ?? ' ')
  const from = isNegated ? start + 1 : start
  const end = text.indexOf(']', from + 1)
  if (end === -1) throw new Error(`The glob ${glob} has a [ without its ]. Write \\[ for the character itself.`)
  const members = [...text.slice(from, end)].map((char) => (/[\\^[\]]/.test(char) ? `\\${char}` : char)).join('')
  const inside = members.replace(/^-|-$/g, '\\-')
  return { source: `[${isNegated ? '^' : ''}${inside}]`, end: end + 1 }
}

const MOST_READINGS = 1_000

/** Every way to read the braces of a glob. */
function withoutBraces(glob: string): readonly string[] {
  let at = 0
  return sequence(false)

  function sequence(isInside: boolean): readonly string[] {
    const branches: string[] = []
    let branch: readonly string[] = ['']
    while (at < glob.length) {
      const char = glob[at]
      if (isInside && (char === ',' || char === '}')) {
        at += 1
        branches.push(...branch)
        branch = ['']
        if (char === '}') return branches
      } else if (char === '{') {
        at += 1
        branch = pairs(branch, sequence(true))
      } else branch = pairs(branch, [plainPiece()])
    }
    if (isInside) throw new Error(`The glob ${glob} has a { without its }. Write \\{ for the character itself.`)
    return branch
  }

  /** One character, with the one that it escapes, or a class. */
  function plainPiece(): string {
    const start = at
    const end = glob[at] === '[' ? glob.indexOf(']', at + 2) : at + (glob[at] === '\\' ? 1 : 0)
    at = (end === -1 ? start : end) + 1
    return glob.slice(start, at)
  }

  function pairs(starts: readonly string[], ends: readonly string[]): readonly string[] {
    if (starts.length * ends.length > MOST_READINGS) {
      throw new Error(`The glob ${glob} has more than ${MOST_READINGS} ways to read its braces. Write fewer.`)
    }
    return starts.flatMap((start) => ends.map((end) => start + end))
  }
}
