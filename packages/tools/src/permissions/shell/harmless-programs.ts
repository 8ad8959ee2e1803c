import type { CommandWord } from './command-word.js'

type Reads = readonly CommandWord[] | undefined

/** Commands that a list of flags does not describe: what they read when they only read; nothing when they may do more. */
export const HARMLESS_PROGRAMS: Readonly<Record<string, (args: readonly CommandWord[]) => Reads>> = {
  '[': test,
  awk,
  cd,
  command: ([flag]) => (flag?.kind === 'static' && /^-[vV]$/.test(flag.text) ? [] : undefined),
  date,
  find,
  npm,
  printf,
  sed,
  set,
  test,
}

function cd(args: readonly CommandWord[]): Reads {
  const [target] = args
  return args.length === 0 || (args.length === 1 && target?.kind === 'static' && target.text !== '-') ? args : undefined
}

/** A flag or `%n` would set a variable. */
function printf([format]: readonly CommandWord[]): Reads {
  const isPlain = format?.kind === 'static' && !/^-|%[-+ #'\d.*]*[hlLjzt]*n/.test(format.text)
  return isPlain ? [] : undefined
}

/** Without a plus in front the word is the time to set. */
function date(args: readonly CommandWord[]): Reads {
  const isPlain = args.every(({ kind, text }, at) => {
    if (kind !== 'static') return false
    const follows = /^(-d|--date|-r|-f)$/.test(args[at - 1]?.text ?? '')
    return (
      follows ||
      /^(\+.*|-[uRI]+|-I\w+|-[drf]|--(date|utc|iso-8601|rfc-3339|rfc-email|reference|universal)(=.*)?)$/.test(text)
    )
  })
  return isPlain ? args.filter((_, at) => /^-[rf]$/.test(args[at - 1]?.text ?? '')) : undefined
}

/** Bash evaluates the subscript of a name that is tested for, and with it the commands that stand there. */
function test(args: readonly CommandWord[]): Reads {
  const isRisky = ({ kind, text, source }: CommandWord) =>
    text === '-v' ||
    text === '-R' ||
    /[$`]\(|`/.test(kind === 'static' ? text : '') ||
    (kind !== 'static' && !source.startsWith('"'))
  return args.some(isRisky) ? undefined : []
}

const FIND_TESTS = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -newermt -anewer -cnewer -maxdepth -mindepth -not -o -a -and -or -print -print0 -prune -empty -perm -user -group -uid -gid -nouser -nogroup -links -inum -samefile -lname -ilname -follow -L -H -P -xdev -mount -depth -ls -printf -quit -true -false -readable -writable -executable -daystart -warn -nowarn -noleaf'.split(
    ' ',
  ),
)
/** What stands before a command that find runs. */
export const FIND_RUNS = /^-(exec|execdir|ok|okdir)$/

/** What find runs is a command of its own. */
function find(args: readonly CommandWord[]): Reads {
  const roots: CommandWord[] = []
  let isRoot = true
  for (let at = 0; at < args.length; at++) {
    const { kind, text } = args[at] as CommandWord
    if (kind !== 'static' && !(isRoot && kind === 'glob' && !/^[*?[]/.test(text))) return undefined
    if (FIND_RUNS.test(text)) while (at < args.length && !endsRun(args, at)) at++
    else if (text.startsWith('-') && !FIND_TESTS.has(text) && !/^-\d+[A-Za-z]?$/.test(text)) return undefined
    if (text.startsWith('-') || text === '(' || text === '!') isRoot &&= /^-[LHP]$/.test(text)
    if (isRoot && !text.startsWith('-')) roots.push(args[at] as CommandWord)
  }
  return roots
}

/** Whether a command that find runs ends here. */
export function endsRun(args: readonly CommandWord[], at: number): boolean {
  const text = args[at]?.text
  return text === ';' || (text === '+' && args[at - 1]?.text === '{}')
}

const NPM_LISTS = new Set(['ls', 'list', 'll', 'la', 'why', 'explain', 'root', 'prefix'])
const NPM_FLAGS = /^(-g|-a|-l|-p|--(all|json|long|parseable|global|link|omit|include|depth|workspaces?)(=[\w-]+)?)$/

function npm(args: readonly CommandWord[]): Reads {
  const [first, ...rest] = args
  if (args.some(({ kind }) => kind !== 'static') || !first) return undefined
  if (rest.length === 0 && /^(-v|--version)$/.test(first.text)) return []
  const isPlain = rest.every(({ text }) => !text.startsWith('-') || NPM_FLAGS.test(text))
  return NPM_LISTS.has(first.text) && isPlain ? [] : undefined
}

// A slash in brackets does not end an expression for sed: where brackets hold one, a script is not what it looks like.
const SED_BRACKETS = String.raw`\[\^?(?:[^\]^/\\\n[]|\[:[a-z]+:\])+\]`
const SED_EXPRESSION = String.raw`(?:[^/\\\n[]|\\.|${SED_BRACKETS})*`
const SED_ADDRESS = String.raw`(?:\d+|\$|/${SED_EXPRESSION}/)`
const SED_COMMAND = String.raw`(?:[pdqlnNDGHgxh=]|s/${SED_EXPRESSION}/(?:[^/\\\n]|\\.)*/[gpiI0-9]*)`
const SED_LINE = `(?:${SED_ADDRESS}(?:,\\+?${SED_ADDRESS})?\\s*!?\\s*)?${SED_COMMAND}`
const SED = new RegExp(`^\\s*${SED_LINE}(?:\\s*;\\s*${SED_LINE})*\\s*;?\\s*$`)

const LONGEST_SCRIPT = 500

/** Scripts that print, delete and replace in what they print; `e` runs, `w` and `r` open files. */
function sed(args: readonly CommandWord[]): Reads {
  const scripts: CommandWord[] = []
  const operands: CommandWord[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as CommandWord
    if (/^(-e|--expression)$/.test(word.text)) scripts.push(args[++at] ?? word)
    else if (/^(-[nErsuz]+|--(quiet|silent|regexp-extended|separate|null-data))$/.test(word.text)) continue
    else if (word.text.startsWith('-') && word.text !== '-') return undefined
    else operands.push(word)
  }
  if (scripts.length === 0) scripts.push(...operands.splice(0, 1))
  const isPlain =
    scripts.length > 0 &&
    scripts.every(({ kind, text }) => kind === 'static' && text.length < LONGEST_SCRIPT && SED.test(text))
  return isPlain && operands.every(isSafeOperand) ? operands : undefined
}

/** Programs without pipes, redirections, other programs, and other files. */
function awk(args: readonly CommandWord[]): Reads {
  let at = 0
  for (; args[at]?.text.startsWith('-'); at++) {
    const { kind, text } = args[at] as CommandWord
    if (kind !== 'static' || !/^-[Fv]/.test(text)) return undefined
    if (text.length === 2) at++
  }
  const [program, ...operands] = args.slice(at)
  const isPlain =
    program?.kind === 'static' && !/[|>@`]|system|getline|close|ENVIRON|ARGV|SYMTAB|fflush/.test(program.text)
  return isPlain && operands.every(isSafeOperand) ? operands : undefined
}

/** Can't turn out to be a flag. */
function isSafeOperand({ kind, text }: CommandWord): boolean {
  return (kind === 'static' && !/^-./.test(text)) || (kind === 'glob' && !/^[-*?[]/.test(text))
}

function set(args: readonly CommandWord[]): Reads {
  const isPlain = args.every(({ text }) => /^([-+][eux]*o?|pipefail|errexit|nounset)$/.test(text))
  return args.length > 0 && isPlain ? [] : undefined
}
