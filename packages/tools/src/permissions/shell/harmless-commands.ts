import type { CommandWord } from './command-word.js'

/** Which flags of a command do nothing but change what it prints, and what its other words are. */
export interface HarmlessCommand {
  /** Only these flags, by words; `-#` is a number. Without it every flag but `except`. */
  readonly only?: string
  /** Not these flags, neither in full nor shortened. */
  readonly except?: string
  /** Of the flags, those whose value may be the next word. */
  readonly valued?: string
  /** Single letters whose value may be the rest of the word, and which never skip the next one. */
  readonly attached?: string
  /** `paths` it reads, a `pattern` and then paths, or `text` that names nothing. */
  readonly operands: 'paths' | 'pattern' | 'text' | 'none'
  /** Of operands; any number unless told. */
  readonly most?: number
  /** Without a word it does something else: runs what it is given as input. */
  readonly needsWord?: true
}

const paths = (more: Partial<HarmlessCommand> = {}): HarmlessCommand => ({ operands: 'paths', ...more })
const text = (more: Partial<HarmlessCommand> = {}): HarmlessCommand => ({ operands: 'text', ...more })
const none = (more: Partial<HarmlessCommand> = {}): HarmlessCommand => ({ operands: 'none', most: 0, ...more })
const pattern = (more: Partial<HarmlessCommand> = {}): HarmlessCommand => ({ operands: 'pattern', ...more })
const version = (more = ''): HarmlessCommand => none({ only: `--version ${more}`.trim(), needsWord: true })

const GREP = pattern({ valued: '-A -B -C -m -d -D', attached: '-e -f' })
const HASH = paths({ only: '-a -b -t -z --tag --binary --text --zero -l', valued: '-a -l' })

/** Commands that only print, with the flags with which they only print. */
export const HARMLESS_COMMANDS: Readonly<Record<string, HarmlessCommand>> = {
  ':': text(),
  arch: none(),
  b2sum: HASH,
  basename: text(),
  break: text(),
  bun: version(),
  cal: text(),
  cat: paths(),
  cksum: HASH,
  clang: version(),
  cmake: version(),
  cmp: paths(),
  column: paths(),
  comm: paths(),
  cut: paths({ valued: '-d -f -c -b --output-delimiter' }),
  continue: text(),
  deno: version('-V'),
  df: paths(),
  diff: paths({ except: '-l --paginate' }),
  dirname: text(),
  du: paths({ valued: '-d -t -B' }),
  echo: text(),
  egrep: GREP,
  expand: paths(),
  exit: text(),
  expr: text(),
  false: text(),
  fgrep: GREP,
  file: paths({ only: '-b -i -L -h -k -N -n -p -r -s -0 --brief --mime --mime-type --mime-encoding --dereference' }),
  fmt: paths(),
  fold: paths(),
  free: none(),
  gcc: version('-dumpversion -dumpmachine'),
  getconf: text({ only: '-a' }),
  grep: GREP,
  groups: text(),
  head: paths({ valued: '-n -c' }),
  hexdump: paths({ valued: '-n -s -e', attached: '-f' }),
  hostname: none({ only: '-f -i -I -s -d -A -a --fqdn --short --long --all-ip-addresses' }),
  id: text(),
  java: version('-version'),
  join: paths(),
  jq: pattern({ valued: '--indent' }),
  locale: text({ only: '-a -m -c -k' }),
  ls: paths({ valued: '-I -w' }),
  lsb_release: none(),
  md5sum: HASH,
  nl: paths(),
  node: version('-v'),
  npm: version('-v'),
  nproc: none(),
  numfmt: text(),
  od: paths({ valued: '-A -t -N -j', attached: '-w' }),
  paste: paths({ valued: '-d' }),
  php: version('-v'),
  ps: text(),
  pwd: none({ only: '-L -P' }),
  python: version('-V'),
  python3: version('-V'),
  readlink: paths(),
  realpath: paths(),
  return: text(),
  rev: paths(),
  ruby: version('-v'),
  seq: text(),
  sha1sum: HASH,
  sha224sum: HASH,
  sha256sum: HASH,
  sha384sum: HASH,
  sha512sum: HASH,
  shasum: HASH,
  sleep: text(),
  sort: paths({ except: '-o -T --output --compress-program --temporary-directory', valued: '-k -t -S' }),
  stat: paths({ valued: '-c --format --printf' }),
  strings: paths(),
  sum: HASH,
  tac: paths({ valued: '-s' }),
  tail: paths({ valued: '-n -c' }),
  tr: text(),
  true: text(),
  tsc: version('-v'),
  tty: none(),
  type: text(),
  uname: none({ only: '-a -s -n -r -v -m -p -i -o --all --kernel-name --kernel-release --machine' }),
  uniq: paths({ most: 1, valued: '-f -s -w' }),
  uptime: none(),
  wc: paths(),
  whereis: text(),
  which: text(),
  who: none(),
  whoami: none(),
  xxd: paths({ only: '-b -c -g -l -p -s -u -i', valued: '-c -g -l -s', attached: '-p', most: 1 }),
  fd: pattern({
    only: '-H -I -u -t -e -d -a -s -i -g -F -p -0 --hidden --no-ignore --type --extension --max-depth --glob --absolute-path --full-path',
    valued: '-t -e -d --type --extension --max-depth',
  }),
  // Tree reads on in the same word behind a letter that takes a value.
  tree: paths({
    only: '-a -d -f -i -l -s -h -p -u -g -D -F -r -t -C -n -x -J -L -I -P --gitignore --noreport --dirsfirst --filelimit --prune --du --si --sort',
  }),
  rg: pattern({
    except: '-z --pre --pre-glob --hostname-bin --search-zip',
    attached: '-e -f',
    valued:
      '-A -B -C -m -g -t -T -j -M -r -E -d --glob --iglob --type --type-not --max-count --max-depth --context --after-context --before-context --sort --color --replace --max-filesize --max-columns',
  }),
}

/** Operands of a command whose flags are all harmless; nothing when one of them may not be. */
export function harmlessOperands(
  args: readonly CommandWord[],
  command: HarmlessCommand,
): readonly CommandWord[] | undefined {
  const only = command.only === undefined ? undefined : new Set(command.only.split(' '))
  const valued = new Set(command.valued?.split(' ') ?? [])
  const attached = new Set(command.attached?.split(' ') ?? [])
  const excepted = command.except?.split(' ') ?? []
  const matters = only !== undefined || excepted.length > 0
  const operands: CommandWord[] = []
  if (command.needsWord && args.length === 0) return undefined
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as CommandWord
    if (word.kind === 'static' && word.text === '--') {
      operands.push(...args.slice(at + 1))
      break
    }
    if (!isFlag(word, matters)) operands.push(word)
    else if (word.kind !== 'static' && matters) return undefined
    else {
      const harm = only ? !isAmong(word.text, only, new Set([...valued, ...attached])) : isExcepted(word.text, excepted)
      if (harm) return undefined
      if (takesNext(word.text, valued, attached) && !isFlag(args[at + 1] ?? word, matters)) at++
    }
  }
  return operands.length > (command.most ?? Number.POSITIVE_INFINITY) ? undefined : operands
}

/** A word that is not known could turn out to be a flag, where that matters. */
function isFlag({ kind, text }: CommandWord, matters: boolean): boolean {
  if (text.startsWith('-') && text !== '-') return true
  if (!matters || kind === 'static') return false
  return kind !== 'glob' || /^[*?[]/.test(text)
}

function isAmong(text: string, only: ReadonlySet<string>, ending: ReadonlySet<string>): boolean {
  if (only.has(text)) return true
  if (text.startsWith('--')) return text.includes('=') && only.has(text.slice(0, text.indexOf('=')))
  if (/^-\d+$/.test(text)) return only.has('-#')
  for (const letter of text.slice(1)) {
    const flag = `-${letter}`
    if (!only.has(flag)) return false
    if (ending.has(flag)) return true
  }
  return true
}

function isExcepted(text: string, excepted: readonly string[]): boolean {
  if (text.startsWith('--')) {
    const name = text.split('=', 1)[0] ?? text
    return excepted.some((flag) => flag.startsWith('--') && flag.startsWith(name))
  }
  return excepted.some(
    (flag) => !flag.startsWith('--') && (flag.length > 2 ? text === flag : text.includes(flag.slice(1))),
  )
}

/** The first letter that takes a value takes the rest of the word, if there is one. */
function takesNext(text: string, valued: ReadonlySet<string>, attached: ReadonlySet<string>): boolean {
  if (text.startsWith('--')) return valued.has(text)
  const letters = text.slice(1).split('')
  const first = letters.findIndex((letter) => valued.has(`-${letter}`) || attached.has(`-${letter}`))
  return valued.has(text) || (first !== -1 && first === letters.length - 1 && valued.has(`-${letters[first]}`))
}
