import { basename } from 'node:path'
import type { CommandWord } from './command-word.js'
import { endsRun, FIND_RUNS } from './harmless-programs.js'

/** What a command runs besides itself: words as they are, or a text that a shell reads. */
export interface Run {
  readonly words?: readonly CommandWord[]
  readonly script?: readonly CommandWord[]
  /** Words in front that set the environment: `env A=b`. */
  readonly assignments?: readonly CommandWord[]
}

export interface LookedThrough {
  readonly wrapper: 'transparent' | 'opaque'
  readonly runs: readonly Run[]
  readonly unclear?: string
}

interface Wrapper {
  readonly wrapper: 'transparent' | 'opaque'
  /** Flags whose value is the next word. */
  readonly valued?: string
  /** Flags without a value that change nothing that matters here. */
  readonly plain?: string
  /** Words between the flags and the command. */
  readonly operands?: number
  /** What follows is read by a shell. */
  readonly isScript?: boolean
  /** More words are added when it runs. */
  readonly appends?: boolean
}

const through = (valued = '', plain = '', more: Partial<Wrapper> = {}): Wrapper => ({
  wrapper: 'transparent',
  valued,
  plain,
  ...more,
})
const opaque = (valued = '', more: Partial<Wrapper> = {}): Wrapper => ({ wrapper: 'opaque', valued, ...more })

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  builtin: through(),
  chroot: opaque('', { operands: 1 }),
  chrt: opaque('-p', { operands: 1 }),
  command: through('', '-p'),
  doas: opaque('-u -C', { plain: '-n' }),
  entr: opaque(),
  exec: through('-a', '-c -l'),
  fakeroot: opaque(),
  flock: opaque('-w -E', { operands: 1 }),
  ionice: through('-c -n', '-t'),
  nice: through('-n --adjustment'),
  nohup: through(),
  npx: opaque('-p --package -c --call'),
  nsenter: opaque('-t -S -G'),
  pkexec: opaque('--user'),
  parallel: opaque('-j --jobs -a -I -n', { isScript: true, appends: true }),
  setsid: through('', '-f -w -c'),
  ssh: opaque('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w', {
    operands: 1,
    isScript: true,
    plain: '-4 -6 -A -a -C -f -g -k -K -N -n -q -s -T -t -tt -v -X -x -Y -y',
  }),
  stdbuf: through('-i -o -e'),
  strace: opaque('-e -o -p -s -u'),
  sudo: opaque('-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir', {
    plain: '-E -H -n -A -b -k -S --non-interactive --preserve-env --set-home',
  }),
  'systemd-run': opaque('-u -p -H -M --unit'),
  taskset: opaque('', { operands: 1 }),
  time: through('-f --format', '-p -v'),
  timeout: through('-s --signal -k --kill-after', '--preserve-status --foreground -v', { operands: 1 }),
  toybox: opaque(),
  busybox: opaque(),
  unbuffer: opaque(),
  unshare: opaque('-S -G'),
  watch: opaque('-n --interval -q', { isScript: true }),
  xargs: through('-I -n -P -L -d -s -E --max-args --max-procs --delimiter', '-0 -r -t -x --null --no-run-if-empty', {
    appends: true,
  }),
}

const SHELLS = new Set([
  'bash',
  'sh',
  'zsh',
  'dash',
  'ksh',
  'ash',
  'rbash',
  'mksh',
  'yash',
  'fish',
  'csh',
  'tcsh',
  'su',
  'runuser',
  'script',
])

/** What a command that runs other commands runs; nothing for one that does not. */
export function lookThrough(words: readonly CommandWord[]): LookedThrough | undefined {
  const [first, ...rest] = words
  if (first?.kind !== 'static') return undefined
  const name = basename(first.text)
  if (name === 'env') return throughEnv(rest)
  if (name === 'eval') return rest.length === 0 ? undefined : { wrapper: 'transparent', runs: [{ script: rest }] }
  if (name === 'trap') return throughTrap(rest)
  if (name === 'find' || name === 'gfind') return runsOfFind(rest)
  if (name === 'git') return runsOfGit(rest)
  if (name === 'npm' && /^(exec|x)$/.test(rest[0]?.text ?? '')) return throughCall(rest.slice(1))
  if (name === 'npx' || name === 'flock') {
    const called = calledScript(rest)
    if (called) return called
  }
  if (name === 'runuser' && rest.some(({ text }) => text === '-u')) return throughWrapper(name, RUNUSER, rest)
  if (SHELLS.has(name)) return throughShell(name, rest)
  if ((name === 'source' || name === '.') && readsInput(rest))
    return { wrapper: 'opaque', runs: [{ script: [UNKNOWN] }] }
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  if (!wrapper) return undefined
  if (name === 'command' && /^-[pvV]*[vV]/.test(rest[0]?.text ?? '')) return undefined
  return throughWrapper(name, wrapper, rest)
}

const RUNUSER = opaque('-u -g -G -w')

/** `npm exec`, which is npx. */
function throughCall(rest: readonly CommandWord[]): LookedThrough | undefined {
  return calledScript(rest) ?? throughWrapper('npx', WRAPPERS.npx as Wrapper, rest)
}

/** `-c text`, in front of the command or in its place. */
function calledScript(rest: readonly CommandWord[]): LookedThrough | undefined {
  const at = rest.findIndex(({ text }) => /^(-c|--call|--command)(=|$)/.test(text))
  const word = rest[at]
  const equals = word?.text.indexOf('=') ?? -1
  const script = word && equals !== -1 ? { ...word, text: word.text.slice(equals + 1) } : rest[at + 1]
  return word && script ? { wrapper: 'opaque', runs: [{ script: [script] }] } : undefined
}

function throughWrapper(name: string, wrapper: Wrapper, rest: readonly CommandWord[]): LookedThrough | undefined {
  const { at, odd } = afterFlags(rest, wrapper)
  const start = at + (wrapper.operands ?? 0)
  const set = assignmentsAt(rest, start)
  const inner = rest.slice(start + set.length).map((word) => asListed(word, replacedBy(name, rest.slice(0, at))))
  if (inner.length === 0) return undefined
  const words = wrapper.appends ? [...inner, LISTED] : inner
  const run = wrapper.isScript ? { script: words } : { words, assignments: set }
  return {
    wrapper: wrapper.wrapper,
    runs: [run],
    ...(odd !== undefined && { unclear: `what '${odd}' makes of ${name} is not known` }),
  }
}

function assignmentsAt(words: readonly CommandWord[], start: number): readonly CommandWord[] {
  let end = start
  while (/^[A-Za-z_]\w*=/.test(words[end]?.text ?? '')) end++
  return words.slice(start, end)
}

/** The texts for which xargs may put what it reads. */
function replacedBy(name: string, flags: readonly CommandWord[]): readonly string[] {
  if (name !== 'xargs') return []
  return flags.flatMap(({ text }, at) => {
    const [, attached] = /^-[a-zA-Z\d]*?I(.*)$/s.exec(text) ?? []
    const replaced = attached || (attached === '' && flags[at + 1]?.text)
    return replaced ? [replaced] : []
  })
}

function asListed(word: CommandWord, replaced: readonly string[]): CommandWord {
  const isListed = word.kind === 'static' && replaced.some((text) => word.text.includes(text))
  return isListed ? { ...word, kind: 'listed' } : word
}

const LISTED: CommandWord = { kind: 'listed', text: '', source: '' }

/** Where the flags end, and the first flag that is not known to do nothing. */
function afterFlags(words: readonly CommandWord[], { valued = '', plain = '' }: Wrapper): { at: number; odd?: string } {
  const takes = new Set(valued.split(' '))
  const known = new Set(plain.split(' '))
  let odd: string | undefined
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at]
    if (!word?.text.startsWith('-') || word.text === '-') break
    if (word.text === '--') return odd === undefined ? { at: at + 1 } : { at: at + 1, odd }
    if (takes.has(word.text) || takesNext(word.text, takes)) at++
    else if (!known.has(word.text) && !isAttached(word.text, takes)) odd ??= word.text
  }
  return odd === undefined ? { at } : { at, odd }
}

/** `-nu root`: the last of several letters may take a value. */
function takesNext(text: string, takes: ReadonlySet<string>): boolean {
  return /^-[A-Za-z]{2,}$/.test(text) && !takes.has(text.slice(0, 2)) && takes.has(`-${text.at(-1)}`)
}

/** `-n5`, `--signal=KILL`, and `-5` of nice. */
function isAttached(text: string, takes: ReadonlySet<string>): boolean {
  if (/^-\d+$/.test(text)) return true
  return text.startsWith('--')
    ? takes.has(text.split('=', 1)[0] ?? '') && text.includes('=')
    : takes.has(text.slice(0, 2))
}

function throughEnv(rest: readonly CommandWord[]): LookedThrough | undefined {
  const { at, odd } = afterFlags(rest, {
    wrapper: 'transparent',
    valued: '-u --unset',
    plain: '-i -0 - --ignore-environment',
  })
  const start = rest[at]?.text === '-' ? at + 1 : at
  const assignments = assignmentsAt(rest, start)
  const words = rest.slice(start + assignments.length)
  if (words.length === 0 && odd === undefined) return undefined
  const unclear = odd !== undefined && { unclear: `what '${odd}' makes of env is not known` }
  return { wrapper: 'transparent', runs: words.length === 0 ? [] : [{ words, assignments }], ...unclear }
}

function throughTrap(rest: readonly CommandWord[]): LookedThrough | undefined {
  const script = rest.find(({ text }) => !text.startsWith('-'))
  return script && rest.length > 1 ? { wrapper: 'opaque', runs: [{ script: [script] }] } : undefined
}

/** `bash -c text`, also as `-lc`; one that reads commands from its input runs what nobody knows. */
function throughShell(name: string, rest: readonly CommandWord[]): LookedThrough | undefined {
  const at = rest.findIndex(({ text }) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text) || text === '--command')
  if (at === -1) return readsInput(rest) ? { wrapper: 'opaque', runs: [{ script: [UNKNOWN] }] } : undefined
  const script = rest.slice(at + 1).find(({ text }) => !/^[-+]/.test(text))
  const isPlain = at === 0 && /^-[euxl]*c$/.test(rest[0]?.text ?? '') && script === rest[1] && !OTHER_SHELLS.has(name)
  // Words after the text are $0, $1 and so on, which are as little known in it as other variables.
  return { wrapper: isPlain ? 'transparent' : 'opaque', runs: [{ script: [script ?? UNKNOWN] }] }
}

const UNKNOWN: CommandWord = { kind: 'unknown', text: '', source: '' }
const OTHER_SHELLS = new Set(['su', 'runuser', 'script'])

/** Commands come by a pipe. */
function readsInput(rest: readonly CommandWord[]): boolean {
  const file = rest.find(({ text }) => !/^[-+]/.test(text))
  return (
    !file || rest.some(({ text }) => text === '-s') || /^\/dev\/(stdin|fd\/\d+)$|^\/proc\/.*\/fd\/\d+$/.test(file.text)
  )
}

/** The commands that find runs on what it finds. */
function runsOfFind(rest: readonly CommandWord[]): LookedThrough | undefined {
  const runs: Run[] = []
  for (let at = 0; at < rest.length; at++) {
    if (!FIND_RUNS.test(rest[at]?.text ?? '')) continue
    const start = at + 1
    while (at < rest.length && !endsRun(rest, at)) at++
    runs.push({ words: rest.slice(start, at).map((word) => asListed(word, ['{}'])) })
  }
  return runs.length === 0 ? undefined : { wrapper: 'transparent', runs }
}

/** Flags whose value a shell reads, by subcommand. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  clone: /^-u|^--upload-p/,
  difftool: /^(-x|--extc\w*)(=|$)/,
  'filter-branch': /^--[\w-]+-filter(=|$)/,
  rebase: /^(-[a-z]*x|--exec?)(=|$)/,
}

/** The commands that git runs because it is told to. */
function runsOfGit(rest: readonly CommandWord[]): LookedThrough | undefined {
  const [name, ...args] = withoutGlobals(rest)
  const runs = [...aliasRuns(rest), ...subcommandRuns(name?.text ?? '', args)]
  return runs.length === 0 ? undefined : { wrapper: 'opaque', runs }
}

function subcommandRuns(name: string, args: readonly CommandWord[]): Run[] {
  if (name === 'bisect' && args[0]?.text === 'run' && args.length > 1) return [{ words: args.slice(1) }]
  const each = name === 'submodule' ? args.findIndex(({ text }) => text === 'foreach') : -1
  if (each !== -1) {
    const script = args.slice(each + 1).filter(({ text }, at) => at > 0 || !text.startsWith('-'))
    return script.length === 0 ? [] : [{ script }]
  }
  return Object.hasOwn(SCRIPTS, name) ? valuesOf(args, SCRIPTS[name] as RegExp) : []
}

function valuesOf(args: readonly CommandWord[], flag: RegExp): Run[] {
  return args.flatMap((word, at) => {
    if (!flag.test(word.text)) return []
    const equals = word.text.indexOf('=')
    const value = equals === -1 ? args[at + 1] : { ...word, text: word.text.slice(equals + 1) }
    return value ? [{ script: [value] }] : []
  })
}

/** `git -c alias.x='!command' x`. */
function aliasRuns(rest: readonly CommandWord[]): Run[] {
  return rest.flatMap((word) => {
    const [, script] = /^(?:-c)?alias\.[^=]*=!(.*)$/s.exec(word.text) ?? []
    return script === undefined ? [] : [{ script: [{ ...word, text: script }] }]
  })
}

const VALUED = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env'])

/** The words of a git command from its subcommand on: `git -C folder push` is a push. */
export function withoutGlobals(args: readonly CommandWord[]): readonly CommandWord[] {
  let at = 0
  while (args[at]?.text.startsWith('-')) at += VALUED.has(args[at]?.text ?? '') ? 2 : 1
  return args.slice(at)
}
