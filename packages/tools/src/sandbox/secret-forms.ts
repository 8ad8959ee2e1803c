import { isSecretName } from './secret-names.js'

/** Whether what a variable or a line holds looks like a secret, by whatever name it goes. */
export async function holdsSecret(name: string, value: string, scan: Scan = isScanned): Promise<boolean> {
  if (value.length < SHORTEST) return false
  return hasForm(value) || assignsSecret(value) || looksRandom(value) || scan(`${name}=${value}`)
}

/** Whether the maintained scanner finds a secret in a text. */
export type Scan = (text: string) => Promise<boolean>

/** The scanner for the lines of a text: where it finds nothing in all of it, no line is asked about. */
export async function lineScanner(text: string): Promise<Scan> {
  return (await isScanned(text)) ? isScanned : async () => false
}

/** Nothing that has a form is shorter; what is short is known by its name or not at all. */
const SHORTEST = 8

/** Forms that are secrets wherever they stand, and that the scanner leaves out or knows in certain files only. */
const FORMS: readonly RegExp[] = [
  // A password in an address. What is a number up to the next slash is a port.
  /\w:\\?\/\\?\/[^\s/:@]{0,200}:(?!\d{1,5}[/?#,;\s])[^\s@]{1,1000}@/i,
  // A token in the place of a name in an address.
  /\w:\\?\/\\?\/[^\s/:@]{20,200}:?@/,
  // A parameter of an address or of a form.
  /[?&;](?:sig|signature|key|api_?key|(?:access|auth|id|refresh|private|job)?_?token|secret|password|passwd|pwd|auth|x-amz-signature)=[^\s&]{6,}/i,
  /-----BEGIN [A-Z0-9 ]+-----/,
  /\beyJ[\w-]{6,2000}\.[\w-]{6,2000}\.[\w-]/,
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)[-_][\w-]{16,}/,
  /\b(?:sk-|hf_|npm_|dapi|ya29\.|do[opr]_v1_|shp(?:at|ca|pa|ss)_|pypi-|gh[opsur]_|github_pat_|xox[abeoprs]-|sbp_)[\w-]{20,}/,
  /\bgl(?:pat|rt|cbt|dt|soat|ptt|ft|imt|agent|oas)-[\w-]{16,}/,
  /\bAIza[\w-]{35}/,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/,
  /\b\d{8,10}:[\w-]{34,36}\b/,
  /\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}/,
  /\b(?:AccountKey|SharedAccess(?:Key|Signature))=[A-Za-z0-9+/=%]{20,}/,
  /\b(?:bearer|basic|digest|negotiate)\s+[A-Za-z0-9._~+/-]{12,}=*/i,
  /\bhooks\.slack\.com\/(?:services|workflows)\/\w/,
  // An option of a program with the secret behind it as a word of its own.
  /(?:^|\s)--?[\w-]*(?:password|passwd|passphrase|secret|token|api-?key)\s+[^\s-]\S{3,}/i,
  // As curl and .netrc have a name and its password. Two numbers are a user and a group.
  /(?:^|\s)(?:-u|--user)[ =]?["']?(?!\d+:\d)[^\s:/]{1,200}:[^\s/]{3,}/,
  /\blogin\s+\S{1,200}\s+password\s+\S/,
]

function hasForm(value: string): boolean {
  return FORMS.some((form) => form.test(value))
}

/**
 * Whether there is a name with a secret in the text: `password=…`, `"apiKey": "…"`. What only names another variable or a
 * file is none.
 */
function assignsSecret(value: string): boolean {
  for (const [, name = '', quoted, single, plain] of value.matchAll(ASSIGNMENT)) {
    const held = quoted ?? single ?? plain ?? ''
    if (!/^(?:[$%/~<*\\{([]|\.\.?\/|true\b|false\b|null\b)/.test(held) && isSecretName(name, held)) return true
  }
  return false
}

const ASSIGNMENT =
  /(?<![\w.-])([A-Za-z_-][\w.-]{1,80})\\?["']?[ \t]{0,9}[:=][ \t]{0,9}(?:\\?"([^"\\]{4,})|\\?'([^'\\]{4,})|([^\s"',;&}:=]{4,}))/g

/**
 * Long text that no person has written and that is no hash: small and capital letters and digits change more often than in
 * any name. Of 68,000 names of files of a system a handful is taken for one, and of 100 random texts of 32 letters and
 * digits fewer than one is not. Hashes and numbers of commits can't be told from keys of that form, and stay.
 */
function looksRandom(value: string): boolean {
  const isPath = value.includes('/')
  return (value.match(/[A-Za-z0-9_-]{20,}/g) ?? []).some((word) => isRandomWord(word, isPath))
}

function isRandomWord(word: string, isPath: boolean): boolean {
  const pieces = word.split(/[-_]+/).filter((piece) => !/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(piece))
  const mixed = pieces.filter((piece) => piece.length >= 6)
  const text = mixed.join('')
  const hasDigit = /\d/.test(text)
  if (/[A-Z]/.test(text) && /[a-z]/.test(text))
    return text.length >= (hasDigit ? 20 : 24) && averageRun(mixed) < (hasDigit ? 3.2 : 2.8)
  const long = pieces.filter((piece) => piece.length >= 10)
  // Folders of a store and of the system for temporary files are named so.
  return !isPath && long.join('').length >= 26 && /\d/.test(long.join('')) && averageRun(long) < 3.6
}

/** How long letters of one kind, or digits, follow one another on average. A capital belongs to the small ones behind it. */
function averageRun(pieces: readonly string[]): number {
  const runs = pieces.flatMap((piece) => piece.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [])
  return pieces.join('').length / runs.length
}

type FindSecrets = (text: string) => Promise<readonly number[]>

let scanner: Promise<FindSecrets> | undefined

interface Waiting {
  readonly text: string
  answer(isSecret: boolean): void
  fail(error: unknown): void
}

let waiting: Waiting[] = []

/**
 * What the maintained scanner says. All that is asked in one go is scanned in one go: each scan leaves marks behind for the
 * library's own profiler, and the next one takes longer. It is loaded when it is first asked; if that fails nothing is taken
 * for clean.
 */
function isScanned(text: string): Promise<boolean> {
  return new Promise((answer, fail) => {
    if (waiting.length === 0) setImmediate(() => void scanWaiting())
    waiting.push({ text, answer, fail })
  })
}

const BETWEEN = '\n\n'

async function scanWaiting(): Promise<void> {
  const asked = waiting
  waiting = []
  try {
    scanner ??= loadScanner()
    const scan = await scanner
    const found = await scan(asked.map(({ text }) => text).join(BETWEEN))
    let start = 0
    for (const { text, answer } of asked) {
      const end = start + text.length
      answer(found.some((at) => at >= start && at <= end))
      start = end + BETWEEN.length
    }
  } catch (error) {
    for (const { fail } of asked) fail(error)
  }
}

async function loadScanner(): Promise<FindSecrets> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] }
  return async (content) => {
    const source = { filePath: '/.env', content, contentType: 'text' as const, ext: '.env' }
    const { messages } = await lintSource({ source, options: { config } })
    return messages.map(({ range }) => range[0])
  }
}
