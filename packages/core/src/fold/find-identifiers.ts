/** What the characters of a word are. */
const NONE = 0
const LOWER = 1
const UPPER = 2
const DIGIT = 3
const DOT = 4
const SLASH = 5
const COLON = 6
const AT = 7
const HYPHEN = 8
const LOW_LINE = 9
const HASH = 10
const MONEY = 11
const EQUALS = 12
/** Signs of units: percent, degree, micro. */
const UNIT = 13
/** A closing bracket, as behind a label. */
const BRACKET = 14
const FOREIGN = 15
/** The head of an arrow; without the rest of one it ends a word. */
const CLOSING = 16
/** No name but the words of an error has one of these in it. */
const EDGE = 17

const SIGNS = [
  [EDGE, ' \t\n\v\f\r"\'`<{}|;'],
  [LOWER, 'abcdefghijklmnopqrstuvwxyz'],
  [UPPER, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [DIGIT, '0123456789'],
  [DOT, '.'],
  [SLASH, '/'],
  [COLON, ':'],
  [AT, '@'],
  [HYPHEN, '-'],
  [LOW_LINE, '_'],
  [HASH, '#'],
  [MONEY, '$'],
  [EQUALS, '='],
  [UNIT, '%'],
  [BRACKET, ']'],
  [CLOSING, '>'],
] as const

// Marked as pure, so that who needs no names does not bundle them.
const CLASSES = /* @__PURE__ */ classesOfAscii()

function classesOfAscii(): Uint8Array {
  const classes = new Uint8Array(128)
  for (const [kind, signs] of SIGNS) for (const sign of signs) classes[sign.charCodeAt(0)] = kind
  return classes
}

/** Of characters that are none of ASCII; all others of these are letters or signs that tell nothing. */
const FOREIGN_CLASSES = /* @__PURE__ */ classesOfOthers()

function classesOfOthers(): ReadonlyMap<number, number> {
  const all = (signs: string, kind: number) => Array.from(signs, (sign) => [sign.charCodeAt(0), kind] as const)
  const widths = Array.from({ length: 11 }, (_, index) => [0x2000 + index, EDGE] as const)
  const spaces = all('\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff', EDGE)
  return new Map([...spaces, ...widths, ...all('€£¥', MONEY), ...all('°µ', UNIT)])
}

/** What a word has in it, a bit for each class and for some that stand side by side: it decides which kinds are looked for. */
const has = (kind: number) => 1 << kind
const CAMEL = 1 << 18
const CAPITALS = 1 << 19
const OPTION = 1 << 20
/** A dot or a colon with something behind it. */
const JOINED = 1 << 21
/** A dot with a lower letter behind it. */
const NAMED = 1 << 22
const HASHED = 1 << 23
const ARROW = 1 << 24
/** The word before a number says that it is a port. */
const PORT = 1 << 25
/** It begins the words of an error. */
const ERROR = 1 << 26
/** An upper letter with a digit behind it. */
const CODED = 1 << 27
/** A digit with a letter behind it. */
const TIMED = 1 << 28
/** What a name is a part of stands before it. */
const QUALIFIED = 1 << 29
const ALL = -1

/** What a character adds to a word, by the one before it. */
const MARKS = /* @__PURE__ */ Int32Array.from({ length: 32 * 32 }, (_, pair) => {
  const [last, kind] = [pair >> 5, pair & 31]
  let marks = kind === NONE ? 0 : has(kind)
  if (kind === UPPER && (last === LOWER || last === DIGIT)) marks |= CAMEL
  if (kind === UPPER && last === UPPER) marks |= CAPITALS
  if (kind === HYPHEN && last === HYPHEN) marks |= OPTION
  if (kind !== NONE && kind !== BRACKET && (last === DOT || last === COLON)) marks |= JOINED
  if (kind === LOWER && last === DOT) marks |= NAMED | QUALIFIED
  if (last === DOT && (kind === UPPER || kind === LOW_LINE || kind === MONEY)) marks |= QUALIFIED
  if (last === COLON && kind === COLON) marks |= QUALIFIED
  if (last === UPPER && kind === DIGIT) marks |= CODED
  if (last === DIGIT && kind === LOWER) marks |= TIMED
  if ((kind === LOWER || kind === UPPER || kind === DIGIT) && last === HASH) marks |= HASHED
  return kind === CLOSING && last === HYPHEN ? marks | ARROW : marks
})

/** What no plain word has. */
const TELLING = /* @__PURE__ */ tellingMarks()

function tellingMarks(): number {
  return has(DIGIT) | has(LOW_LINE) | has(SLASH) | has(AT) | CAMEL | CAPITALS | OPTION | JOINED | HASHED | ARROW
}

/**
 * Kinds of exact identifiers, those first that may hold others. All are bounded and begin at an edge, so that a long
 * line without spaces costs no more than its length.
 */
interface Kind {
  readonly pattern: RegExp
  /** Looked for where a word has all of these. */
  readonly all: number
  /** And one of these, if there are any. */
  readonly any?: number
  /** And so many characters side by side. */
  readonly least?: number
  /** And one of these. */
  readonly says?: readonly string[]
}

const KINDS: readonly Kind[] = /* @__PURE__ */ kindsOfNames()

function kindsOfNames(): readonly Kind[] {
  return [
    // URLs, and names of resources that are led by a scheme
    { least: 8, all: has(SLASH) | has(COLON), pattern: /\b[a-z][a-z0-9+]{1,9}:\/\/[^\s"'`<>()[\]{}\\]{3,200}/g },
    {
      least: 9,
      all: JOINED | has(COLON),
      says: ['arn:', 'urn:', 'pkg:', 'oci:', 'did:'],
      pattern: /\b(?:arn|urn|pkg|oci|did):[^\s"'`<>()[\]{}\\,;]{5,200}/g,
    },
    // What errors say: behind the name of one, behind a code, behind a label. A name in quotes is a part of it.
    {
      all: ERROR,
      pattern:
        /\b(?:[A-Z][A-Za-z]{0,40})?(?:Error|Exception|Panic)\b(?:\s?\[[A-Z_]{3,40}\])?:[ \t](?: "[^\n"|]{1,60}"|[^\n"|]){3,100}/g,
    },
    {
      all: ERROR,
      pattern:
        /(?<![\w.-])(?:error|fatal|panic)(?: ?\[?[A-Z]{1,5}\d{2,6}\]?)?:[ \t](?=[^\n"|]{0,100}[a-z])(?: "[^\n"|]{1,60}"|[^\n"|]){8,100}/gi,
    },
    {
      all: ERROR,
      pattern: /(?<=\[(?:error|fatal)\][ \t])(?=[^\n"|]{0,100}[a-z])(?: "[^\n"|]{1,60}"|[^\n"|]){8,100}/gi,
    },
    { all: ERROR, pattern: /\b(?:E[A-Z]{3,15}|[A-Z]{2,5}-?\d{3,6}):[ \t](?: "[^\n"|]{1,60}"|[^\n"|]){3,100}/g },
    { all: CAMEL, says: ['Error', 'Exception'], pattern: /\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b/g },
    // Ids: UUIDs, long addresses of machines, tickets and codes, colours and numbered things
    { least: 36, all: has(HYPHEN), pattern: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi },
    {
      least: 4,
      all: has(COLON) | has(DIGIT),
      pattern:
        /(?<![\w:.])(?=[0-9a-f:]{0,40}\d)(?:(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}|(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4})(?![\w:])/gi,
    },
    {
      all: has(UPPER),
      any: CAPITALS | CODED,
      pattern: /\b(?:[A-Z][A-Z0-9]{1,9}-\d{2,7}|E[A-Z]{4,15}|[A-Z]{1,4}\d{3,5}|[A-Z]{3,20}(?:_[A-Z0-9]{1,20}){1,5})\b/g,
    },
    { all: HASHED, pattern: /(?<![\w#&/])#(?:[0-9a-f]{8}|[0-9a-f]{6}|\d{2,7})\b/gi },
    // Dates, but not those that lines of a log begin with
    {
      least: 10,
      all: has(DIGIT) | has(HYPHEN),
      pattern:
        /(?<!^[[(]?)\b(?:19|20)\d\d-[01]\d-[0-3]\d(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?\b/gm,
    },
    // Numbers with units, and money
    {
      all: has(DIGIT),
      any: has(LOWER) | has(UPPER) | has(UNIT),
      pattern:
        /(?<![\w.[;/-])\d{1,12}(?:[.,]\d{1,6}){0,3}(?: ?(?:[nmµu]s|sec|seconds|min|minutes|hours|days|[kKMGTP]i?[Bb](?:\/s|ps)?|bytes|[kMG]?Hz|fps|px|r?em|pt|[kmµ]?[VAW]|dB|°[CF]|[mck]m|[mk]g|tokens|rows|cores|[a-z]{1,12}\/(?:s|sec|min|h|hour|day))(?![\w/])|[smhdKMGT]\b| ?%)/g,
    },
    { all: TIMED, pattern: /(?<![\w.-])(?:\d{1,4}[dhm] ?){1,3}\d{1,4}(?:\.\d{1,6})?s\b/g },
    { all: has(MONEY) | has(DIGIT), pattern: /[$€£¥]\d{1,9}(?:[.,]\d{1,6}){0,3}\b/g },
    // Paths, with the line or the version where there is one
    {
      all: has(SLASH),
      pattern:
        /(?<![\wÀ-ɏЀ-ӿ./~@-])(?:~\/|\.{0,2}\/)?(?:(?:[\wÀ-ɏЀ-ӿ.@+$-]{1,80}|\[[\w.-]{1,40}\]|\([\w-]{1,40}\))\/){1,20}[\wÀ-ɏЀ-ӿ.@+-]{1,80}(?::v?\d[\w.-]{0,40})?/g,
    },
    {
      all: NAMED,
      pattern:
        /(?<![\w.-])[\w-]{1,60}(?:\.[\w-]{1,20}){0,2}\.(?:[cm]?[jt]sx?|jsonl?|mdx?|py|rs|go|java|kts?|swift|scala|rb|c|h|cc|[ch]pp|cs|fs|php|exs?|lua|vue|svelte|proto|graphql|tf|sh|ps1|sql|ya?ml|toml|ini|conf|cfg|lock|html|s?css|xml|csv|txt|env|log)\b(?::\d{1,6})?/g,
    },
    // Machines: with their ports, by number, by name; mailboxes
    {
      all: has(DIGIT),
      any: JOINED | PORT | has(EQUALS),
      pattern:
        /(?<![\w.-])(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[a-z0-9][a-z0-9-]{0,60}(?:\.[a-z0-9-]{1,60}){0,5}\.[a-z]{2,20}(?=:\d)):\d{2,5}\b|\bport[ =:]{1,3}\d{2,5}\b/gi,
    },
    { least: 7, all: has(DOT) | has(DIGIT), pattern: /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?(?![\w.])/g },
    { all: has(AT) | has(DOT), pattern: /[\w.+-]{1,60}@[\w-]{1,60}(?:\.[a-z][a-z-]{1,30}){1,4}\b/gi },
    // Versions, with the package where it is named
    {
      least: 5,
      all: has(DOT) | has(DIGIT),
      pattern:
        /(?<![\w./@-])(?:(?:@[\w.-]{1,40}\/)?[\w.-]{1,60}@)?[v^~]?\d{1,4}\.\d{1,5}\.\d{1,5}(?:[-+][\w.+-]{1,40})?(?![\w/])/g,
    },
    // Names of hosts, and names with hyphens and digits, as machines give them
    {
      all: NAMED,
      any: has(DIGIT) | has(HYPHEN),
      pattern: /(?<![\w.-])(?=[a-z.]{1,200}[-\d])[a-z0-9][a-z0-9-]{0,60}(?:\.[a-z0-9][a-z0-9-]{0,60}){2,6}(?![\w-])/g,
    },
    {
      all: has(HYPHEN) | has(DIGIT) | has(LOWER),
      pattern: /(?<![\w.-])(?=[a-z-]{1,120}\d)[a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8}(?![\w-])/g,
    },
    // Hashes: letters and digits both, else it is a word or a number
    {
      least: 7,
      all: has(DIGIT) | has(LOWER),
      pattern: /\b(?:sha\d{1,3}[:-])?(?=[0-9a-f]{0,63}\d)(?=[0-9a-f]{0,63}[a-f])[0-9a-f]{7,64}\b/g,
    },
    // Options of commands
    { all: OPTION, pattern: /(?<![\w-])--[a-z][a-z0-9]{1,30}(?:-[a-z0-9]{1,30}){0,6}(?:=[\w./:@%+-]{1,60})?/g },
    // Qualified names, then camel case and snake case
    {
      all: 0,
      any: QUALIFIED | HASHED | ARROW,
      pattern: /\b[A-Za-z_$][\w$]{1,60}(?:(?:::|\.|#|->)[A-Za-z_$][\w$]{1,60}){1,6}(?:\(\))?/g,
    },
    {
      all: 0,
      any: CAMEL | has(LOW_LINE),
      pattern:
        /\b(?:[a-z][a-z0-9]{0,30}(?:[A-Z][A-Za-z0-9]{0,30}){1,6}|(?:[A-Z][a-z0-9]{1,30}){2,6}|[A-Za-z][A-Za-z0-9]{0,30}(?:_[A-Za-z0-9]{1,30}){1,6})\b/g,
    },
  ]
}

/** Looked for first: behind them a backslash begins an escape, as in JSON that a tool has printed. */
const WINDOWS_PATH = /(?:\b[A-Za-z]:|\\{2,4}[\w.-]{2,60})(?:\\{1,2}[\w.@+$-]{2,80}){1,20}/g
const ESCAPE = /\\[nrt]/g

/** Looks like a path and is an abbreviation. */
const NO_NAME = /^(?:\w{1,2}\/\w{1,2}|and\/or)$/i
const TRAILING = /[.,;:!?/\\'"-]+$/

const NAMED_ERROR = /(?:error|exception|panic|fatal)(?:\W|$)/i
const ERROR_CODE = /\b(?:E[A-Z]{3,15}|[A-Z]{2,5}-?\d{3,6}):$/
const ERROR_BEFORE = /(?:error|fatal|panic|exception)\s$/i
const ERROR_LABEL = /\[(?:error|fatal)\]$/i
const PORT_BEFORE = /.?port[ =:]{1,3}$/is
/** The words of an error are at most so long. */
const LONGEST_ERROR = 6_400
const SHORTEST = 3

interface Found {
  readonly at: number
  readonly name: string
}

/** Words that stand side by side and are judged together. */
interface Words {
  from: number
  to: number
  marks: number
}

/**
 * The exact identifiers of a text in the order in which they stand, each as often as it occurs. The text is cut into words in
 * one pass that sees what they are made of; most are plain, and for the others only the kinds are looked for that they can be.
 */
export function findIdentifiers(text: string): string[] {
  const found: Found[] = []
  const rest = text.includes('\\') ? withoutEscapes(text, found) : text
  const isMixed = found.length > 0
  const { length } = rest
  let words: Words | undefined
  for (let at = 0; at < length; at++) {
    const from = at
    let marks = 0
    let last = EDGE
    for (; at < length; at++) {
      const code = rest.charCodeAt(at)
      const kind = code < 128 ? (CLASSES[code] as number) : (FOREIGN_CLASSES.get(code) ?? FOREIGN)
      if (kind >= CLOSING && (kind === EDGE || last !== HYPHEN)) break
      marks |= MARKS[(last << 5) | kind] as number
      last = kind
      if (kind === LOWER) at = endOfLower(rest, at + 1, length) - 1
    }
    if (at === from) continue
    if ((last === COLON || last === BRACKET) && isBlank(rest, at)) {
      const begin = errorBegin(rest, from, at)
      if (begin >= 0) {
        if (words && words.from < begin) judge(rest, { ...words, to: Math.min(words.to, begin) }, found)
        words = undefined
        at = endOfLine(rest, at)
        judge(rest, { from: begin, to: at, marks: ALL }, found)
        continue
      }
    }
    if (words) {
      if (goesOn(rest, words, from)) {
        words.to = at
        words.marks |= marks
        continue
      }
      judge(rest, words, found)
      words = undefined
    }
    if (marks & TELLING) words = wordsFrom(rest, { from, to: at, marks }, found)
  }
  if (words) judge(rest, words, found)
  if (isMixed) found.sort((a, b) => a.at - b.at)
  return found.map(({ name }) => name)
}

function endOfLower(text: string, from: number, length: number): number {
  let at = from
  for (; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code < 97 || code > 122) break
  }
  return at
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || code === 9
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return Math.min(end === -1 ? text.length : end, from + LONGEST_ERROR)
}

/** Where the words of an error begin that a word is a part of; -1 where it is of none. */
function errorBegin(text: string, from: number, to: number): number {
  const word = text.slice(Math.max(from, to - 60), to)
  if (word.endsWith(']')) return ERROR_LABEL.test(word) ? from : -1
  if (ERROR_BEFORE.test(text.slice(Math.max(0, from - 50), from))) {
    const [before = ''] = /[\w.[\]()-]*\s$/.exec(text.slice(Math.max(0, from - 60), from)) ?? []
    return from - before.length
  }
  return NAMED_ERROR.test(word) || ERROR_CODE.test(word) ? from : -1
}

/** A number may have its unit behind it, and a time its next part. */
function goesOn(text: string, { to, marks }: Words, next: number): boolean {
  if (next !== to + 1 || !(marks & has(DIGIT)) || text.charCodeAt(to) !== 32) return false
  const last = text.charCodeAt(to - 1)
  return isDigit(last) || ((last === 100 || last === 104 || last === 109) && isDigit(text.charCodeAt(next)))
}

/** The words that a telling one begins. What says that a number is a port belongs to it, and is no name of its own. */
function wordsFrom(text: string, words: Words, found: Found[]): Words {
  if (!isDigit(text.charCodeAt(words.from))) return words
  const said = PORT_BEFORE.exec(text.slice(Math.max(0, words.from - 8), words.from))
  if (!said) return words
  let from = words.from - said[0].length
  while (from > 0 && text.charAt(from - 1) === '-') from--
  while ((found.at(-1)?.at ?? -1) >= from) found.pop()
  return { from, to: words.to, marks: words.marks | PORT }
}

/** Finds the names among words. What one kind has found no other finds a part of. */
function judge(text: string, { from, to, marks }: Words, found: Found[]): void {
  const kinds = kindsFor(marks)
  if (kinds.length === 0) return
  // What stands before a word is none of it, and decides whether some kinds may begin there.
  const offset = Math.max(0, from - 1)
  let part = text.slice(offset, to)
  let left = to - from
  const first = found.length
  for (const { pattern, least = 0, says } of kinds) {
    if (left < least || says?.every((word) => !part.includes(word))) continue
    pattern.lastIndex = 0
    let match = pattern.exec(part)
    if (!match) continue
    const taken: RegExpExecArray[] = []
    for (; match; match = pattern.exec(part)) {
      take(match[0], offset + match.index, found)
      left -= match[0].length
      if (left < SHORTEST) break
      taken.push(match)
    }
    if (left < SHORTEST) break
    part = withoutNames(part, taken)
  }
  if (found.length - first > 1) for (const each of found.splice(first).sort((a, b) => a.at - b.at)) found.push(each)
}

/** As long as it was, so that places stay the same; no word, so that no other kind finds a part of it. */
function withoutNames(text: string, names: readonly RegExpExecArray[]): string {
  let left = ''
  let end = 0
  for (const { 0: name, index } of names) {
    left += text.slice(end, index) + ' '.repeat(name.length)
    end = index + name.length
  }
  return left + text.slice(end)
}

function take(match: string, at: number, found: Found[]): void {
  const last = CLASSES[match.charCodeAt(match.length - 1)] ?? FOREIGN
  const name = last >= LOWER && last <= DIGIT ? match : match.replace(TRAILING, '')
  if (name.length >= SHORTEST && !(name.length < 7 && name.includes('/') && NO_NAME.test(name)))
    found.push({ at, name })
}

function withoutEscapes(text: string, found: Found[]): string {
  const blank = (match: string, at: number) => {
    take(match, at, found)
    return ' '.repeat(match.length)
  }
  return text.replace(WINDOWS_PATH, blank).replace(ESCAPE, '  ')
}

const known = /* @__PURE__ */ new Map<number, readonly Kind[]>()

/** The kinds that words can be, in their order. */
function kindsFor(marks: number): readonly Kind[] {
  const before = known.get(marks)
  if (before) return before
  const kinds = KINDS.filter(({ all, any }) => (marks & all) === all && (any === undefined || (marks & any) !== 0))
  known.set(marks, kinds)
  return kinds
}
