import { type CommandPart, nameOf } from './command-part.js'
import type { CommandWord } from './command-word.js'
import { HARMLESS_PROGRAMS } from './harmless-programs.js'

/** Flags with which a command does what its name does not say: runs other programs, or writes where it is told. */
interface Powers {
  /** Long flags; what they may be shortened to counts too. */
  readonly long?: string
  /** Letters of short flags, alone or among others. */
  readonly short?: string
  /** Other words. */
  readonly words?: RegExp
}

const EVAL: Powers = { short: 'eEpr', long: '--eval --print --require --import --loader --experimental-loader' }
const EDITOR: Powers = { short: 'cSsuwW', long: '--cmd --startuptime', words: /^\+/ }
const PACKAGES: Powers = {
  long: '--script-shell --node-options --userconfig --globalconfig --prefix --dir --shell --config --registry --git',
  short: 'C',
}

const POWERS: Readonly<Record<string, Powers>> = {
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

/** The first word that gives a command a power which a rule does not name; `named` are the words of the rule. */
export function unnamedPower(part: CommandPart, named: readonly string[]): string | undefined {
  const name = nameOf(part)
  if (name === undefined) return undefined
  const args = part.words.slice(1)
  // Its script is what these run: only a plain one is no more than the name says.
  if ((name === 'sed' || name === 'awk') && !HARMLESS_PROGRAMS[name]?.(args)) return args[0]?.source ?? name
  const powers = Object.hasOwn(POWERS, name) ? POWERS[name] : undefined
  if (!powers) return undefined
  const words = name === 'tar' ? withDash(args) : args
  return words.find((word) => isPower(word, powers) && !named.includes(word.text))?.source
}

/** The first word of tar is flags, with a dash or without. */
function withDash([first, ...rest]: readonly CommandWord[]): readonly CommandWord[] {
  return first ? [first.text.startsWith('-') ? first : { ...first, text: `-${first.text}` }, ...rest] : []
}

function isPower(word: CommandWord, { long = '', short = '', words }: Powers): boolean {
  const { kind, text } = word
  if (kind === 'glob' && /^[*?[]/.test(text)) return true
  if (words?.test(text)) return true
  if (!text.startsWith('-') || text === '--') return false
  const name = text.split('=', 1)[0] ?? text
  if (text.startsWith('--')) return long.split(' ').some((flag) => flag !== '' && flag.startsWith(name))
  if (long.split(' ').includes(`-${name}`)) return true
  return [...short].some((letter) => text.slice(1).includes(letter))
}
