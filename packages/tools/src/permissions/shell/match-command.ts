import { basename } from 'node:path'
import { fitsWildcards } from '@nacre/core/node'
import type { CommandWord } from './command-word.js'
import { HARMLESS_PROGRAMS } from './harmless-programs.js'
import { withoutGlobals } from './look-through.js'
import { type CommandPart, nameOf, parseCommand } from './parse-command.js'

/** What is between the brackets of a rule for Bash, in words. */
export interface CommandPattern {
  /** `exact`: these words. `prefix`: these and any more. `wild`: a star in it stands for anything. */
  readonly kind: 'exact' | 'prefix' | 'wild'
  readonly words: readonly string[]
  readonly text: string
}

/** Reads `git diff:*`, `npm run *` or `npm run test`. */
export function commandPattern(subject: string): CommandPattern {
  const isPrefix = subject.endsWith(':*')
  const text = (isPrefix ? subject.slice(0, -2) : subject).trim()
  const words = parseCommand(text, '/').parts[0]?.words.map((word) => word.text) ?? text.split(/\s+/)
  return { kind: isPrefix ? 'prefix' : text.includes('*') ? 'wild' : 'exact', words, text }
}

/** Whether a pattern plainly speaks of a part: word by word, and only of words that are known. */
export function plainlyMatches({ kind, words }: CommandPattern, part: CommandPart): boolean {
  if (!part.words.every((word) => word.kind === 'static' || word.kind === 'glob')) return false
  const texts = part.words.map(({ text }) => text)
  const isOpen = kind === 'prefix' || (kind === 'wild' && words.at(-1) === '*')
  const fixed = kind === 'wild' && isOpen ? words.slice(0, -1) : words
  const most = isOpen ? Number.POSITIVE_INFINITY : fixed.length
  const least = kind === 'wild' && isOpen ? fixed.length + 1 : fixed.length
  if (texts.length > most || texts.length < least || part.words[0]?.kind !== 'static') return false
  return fixed.every((word, at) => (kind === 'wild' ? fitsWildcards(word, texts[at] ?? '') : word === texts[at]))
}

/**
 * Whether a pattern that forbids may speak of a part: `yes` under any name, place or order of flags, `maybe` when words that
 * are not known stand where it looks.
 */
export function broadlyMatches(pattern: CommandPattern, part: CommandPart): 'yes' | 'maybe' | 'no' {
  const [first, ...rest] = part.words
  if (!first) return 'no'
  if (first.kind !== 'static')
    return first.kind === 'glob' && !fitsWildcards(first.text, pattern.words[0] ?? '') ? 'no' : 'maybe'
  const name = basename(first.text).toLowerCase()
  const variants = [rest, name === 'git' ? withoutGlobals(rest) : rest].map((words) => [
    { ...first, text: name },
    ...words,
  ])
  const all = [[first, ...rest], ...variants]
  if (all.some((words) => matchesBroadly(pattern, words, true))) return 'yes'
  return all.some((words) => matchesBroadly(pattern, words, false)) ? 'maybe' : 'no'
}

function matchesBroadly(pattern: CommandPattern, words: readonly CommandWord[], isKnown: boolean): boolean {
  const isSure = words.every(({ kind }) => kind === 'static' || kind === 'listed')
  const texts = words.map(({ text }) => text)
  if (pattern.kind === 'wild')
    return fitsWildcards(pattern.text, texts.join(' ')) || (!isKnown && !isSure && headFits(pattern, words))
  const plain = pattern.words.filter((word) => !isFlag(word))
  const wanted = pattern.words.filter(isFlag)
  const given = words.filter(({ kind, text }) => kind !== 'static' || !isFlag(text))
  const isEnough = pattern.kind === 'prefix' || given.length === plain.length
  const startsSo = plain.every((word, at) => {
    const found = given[at]
    if (!found) return !isKnown && !isSure
    return found.kind === 'static' ? found.text === word || (at === 0 && found.text.toLowerCase() === word) : !isKnown
  })
  if (!startsSo || (!isEnough && isKnown)) return false
  const flags = words.flatMap(({ text }) => flagsOf(text))
  return wanted.flatMap(flagsOf).every((flag) => flags.some((other) => isForm(other, flag))) || (!isKnown && !isSure)
}

const FORMS = [
  ['-r', '-R', '--recursive'],
  ['-f', '--force'],
]

/** Whether a flag is another one, by another name or shortened. */
function isForm(given: string, wanted: string): boolean {
  const forms = FORMS.find((flags) => flags.includes(wanted)) ?? [wanted]
  return forms.some((form) => form === given || (/^--\w/.test(given) && form.startsWith(given)))
}

function headFits({ words }: CommandPattern, [first]: readonly CommandWord[]): boolean {
  return fitsWildcards(words[0] ?? '', first?.text ?? '')
}

function isFlag(text: string): boolean {
  return /^-./.test(text)
}

/** `-rf` is `-r` and `-f`. */
function flagsOf(text: string): string[] {
  if (!isFlag(text)) return []
  return text.startsWith('--') ? [text.split('=', 1)[0] ?? text] : [...text.slice(1)].map((letter) => `-${letter}`)
}

/** Whether a pattern that forbids stands anywhere in a text that can't be parsed. */
export function standsIn({ words }: CommandPattern, text: string): boolean {
  // In place of an expression, whose stars would try every way to share the text: all ways are followed side by side.
  const wanted: readonly string[] = words.flatMap((word, at) => [...(at > 0 ? [GAP] : []), ...word.split('')])
  const shown = text.replace(/\$\{?IFS\}?/g, ' ')
  if (!words.every((word) => word.split('*').every((piece) => shown.includes(piece)))) return false
  let reached = new Set<number>()
  for (let place = 0; place <= shown.length; place++) {
    const char = shown[place] ?? ''
    if (isEdge(shown[place - 1])) reached.add(0)
    const states = withoutStars(reached, wanted)
    if (states.has(wanted.length) && isEdge(shown[place])) return true
    reached = new Set()
    for (const at of states) {
      if (wanted[at] === '*') reached.add(at)
      else if (wanted[at] === GAP) {
        if (IN_GAP.test(char)) reached.add(at + 1).add(at)
      } else if (wanted[at] === char) reached.add(at + 1)
    }
  }
  return false
}

/** Between two words: spaces and what a shell takes off. */
const GAP = 'gap'
const IN_GAP = /[\s'"\\]/

function isEdge(char: string | undefined): boolean {
  return char === undefined || !/[\w-]/.test(char)
}

/** With the places behind the stars that were reached. What stands before the last of these has nothing more to find. */
function withoutStars(reached: ReadonlySet<number>, wanted: readonly string[]): ReadonlySet<number> {
  const states = new Set(reached)
  for (const at of states) if (wanted[at] === '*') states.add(at + 1)
  const last = Math.max(-1, ...[...states].filter((at) => wanted[at] === '*'))
  return last === -1 ? states : new Set([...states].filter((at) => at >= last))
}

/** Flags with which a command does what its name does not say: runs other programs, or writes where it is told. */
interface RiskyWords {
  /** Long flags; what they may be shortened to counts too. */
  readonly long?: string
  /** Letters of short flags, alone or among others. */
  readonly short?: string
  /** Other words. */
  readonly words?: RegExp
}

const EVAL: RiskyWords = { short: 'eEpr', long: '--eval --print --require --import --loader --experimental-loader' }
const EDITOR: RiskyWords = { short: 'cSsuwW', long: '--cmd --startuptime', words: /^\+/ }
const PACKAGES: RiskyWords = {
  long: '--script-shell --node-options --userconfig --globalconfig --prefix --dir --shell --config --registry --git',
  short: 'C',
}

const RISKY_WORDS: Readonly<Record<string, RiskyWords>> = {
  bash: { short: 'ci', long: '--init-file --rcfile' },
  cargo: { long: '--config' },
  curl: {
    short: 'oOKTDcE',
    long: '--output --remote-name --remote-name-all --output-dir --config --upload-file --dump-header --cookie-jar --trace --trace-ascii --engine --libcurl --stderr --unix-socket --proxy --etag-save --hsts --alt-svc',
    words: /%output\{/,
  },
  date: { short: 's', long: '--set' },
  diff: { short: 'l', long: '--paginate' },
  fd: { short: 'xX', long: '--exec --exec-batch' },
  file: { short: 'Cm', long: '--compile --magic-file' },
  find: { words: /^-(delete|fprint0?|fprintf|fls|ok|okdir|files0-from)$/ },
  gawk: { short: 'fiEl', long: '--file --include --load --exec' },
  git: {
    short: 'cOox',
    long: '--output --ext-diff --textconv --open-files-in-pager --upload-pack --receive-pack --exec --exec-path --config --config-env --output-directory --paginate --template --separate-git-dir --filters --show-signature --git-dir --work-tree --super-prefix --extcmd',
    words:
      /(^|=)ext::|^(alias|pager)\.|^(core\.(pager|editor|sshcommand|fsmonitor|hookspath)|(sequence\.editor|credential\.helper))$/i,
  },
  go: { words: /^--?(exec|toolexec|vettool|modfile|overlay|C)(=|$)/ },
  less: { short: 'oOkKtT', long: '--log-file --LOG-FILE --lesskey-file --lesskey-src --tag', words: /^\+/ },
  lua: EVAL,
  make: {
    short: 'fCIE',
    long: '--file --makefile --directory --eval --include-dir',
    words: /^(SHELL|MAKEFLAGS|\.SHELLFLAGS)[:+?]?=|=.*\$[({]/,
  },
  man: { short: 'PHX', long: '--pager --html --gxditview --config-file' },
  more: { words: /^\+/ },
  node: EVAL,
  npm: PACKAGES,
  npx: { ...PACKAGES, short: 'cp' },
  nvim: EDITOR,
  perl: { short: 'eEiMmI' },
  php: { short: 'rBRFEd', long: '--run --process-begin --process-code --process-file --process-end' },
  pnpm: PACKAGES,
  python: { short: 'c' },
  python3: { short: 'c' },
  rg: { short: 'z', long: '--pre --pre-glob --hostname-bin --search-zip' },
  rsync: { short: 'e', long: '--rsh --rsync-path --remove-source-files --daemon --files-from --log-file' },
  ruby: { short: 'eriI' },
  scp: { short: 'SoFD' },
  sh: { short: 'ci' },
  sort: { short: 'oT', long: '--output --compress-program --temporary-directory' },
  ssh: { short: 'oFEwLRD' },
  tar: {
    short: 'IF',
    long: '--to-command --checkpoint-action --use-compress-program --rsh-command --rmt-command --info-script --new-volume-script --absolute-names',
  },
  tree: { short: 'oRH', long: '--fromfile' },
  vi: EDITOR,
  view: EDITOR,
  vim: EDITOR,
  wget: {
    short: 'OoPiae',
    long: '--output-document --output-file --append-output --directory-prefix --input-file --execute --config --post-file --body-file --use-askpass --preserve-permissions --warc-file --save-cookies',
  },
  xargs: { short: 'a', long: '--arg-file' },
  yarn: PACKAGES,
  zip: { short: 'T', long: '--unzip-command' },
}

/** The first word that makes a command do more than a rule names; `named` are the words of the rule. */
export function riskyWord(part: CommandPart, named: readonly string[]): string | undefined {
  const name = nameOf(part)
  if (name === undefined) return undefined
  const args = part.words.slice(1)
  // Its script is what these run: only a plain one is no more than the name says.
  if ((name === 'sed' || name === 'awk') && !HARMLESS_PROGRAMS[name]?.(args)) return args[0]?.source ?? name
  const powers = Object.hasOwn(RISKY_WORDS, name) ? RISKY_WORDS[name] : undefined
  if (!powers) return undefined
  const words = name === 'tar' ? withDash(args) : args
  return words.find((word) => isRisky(word, powers) && !named.includes(word.text))?.source
}

/** The first word of tar is flags, with a dash or without. */
function withDash([first, ...rest]: readonly CommandWord[]): readonly CommandWord[] {
  return first ? [first.text.startsWith('-') ? first : { ...first, text: `-${first.text}` }, ...rest] : []
}

function isRisky(word: CommandWord, { long = '', short = '', words }: RiskyWords): boolean {
  const { kind, text } = word
  if (kind === 'glob' && /^[*?[]/.test(text)) return true
  if (words?.test(text)) return true
  if (!text.startsWith('-') || text === '--') return false
  const name = text.split('=', 1)[0] ?? text
  if (text.startsWith('--')) return long.split(' ').some((flag) => flag !== '' && flag.startsWith(name))
  if (long.split(' ').includes(`-${name}`)) return true
  return [...short].some((letter) => text.slice(1).includes(letter))
}
