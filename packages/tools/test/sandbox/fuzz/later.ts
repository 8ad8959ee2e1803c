import { posix } from 'node:path'
import { KNOWS_CALLS, type Tongue } from './tongue.js'
import { MAKERS } from './writers.js'

/** Files that a shell, an editor, an agent or git reads by itself, and that start programs. */
const NAMES = [
  ...[
    '.mcp.json',
    '.nacre/settings.json',
    '.nacre/settings.local.json',
    '.claude/settings.json',
    '.claude/agents/x.md',
  ],
  ...[
    '.vscode/tasks.json',
    '.vscode/settings.json',
    '.vscode/new.json',
    '.idea/workspace.xml',
    '.idea/runConfigurations/x.xml',
  ],
  ...[
    '.devcontainer/devcontainer.json',
    '.zed/tasks.json',
    '.cursor/mcp.json',
    '.helix/languages.toml',
    '.kiro/settings/mcp.json',
  ],
  ...[
    '.roo/mcp.json',
    '.gemini/settings.json',
    '.codex/config.toml',
    '.vim/init.vim',
    '.vimrc',
    '.exrc',
    '.lvimrc',
    '.nvim.lua',
  ],
  ...[
    '.dir-locals.el',
    'app.code-workspace',
    'app.sublime-project',
    '.envrc',
    '.bashrc',
    '.bash_profile',
    '.profile',
    '.zshrc',
  ],
  ...[
    '.zshenv',
    '.inputrc',
    '.gitconfig',
    '.gdbinit',
    '.pdbrc',
    '.husky/pre-commit',
    '.githooks/pre-commit',
    '.Rprofile',
  ],
  ...['.git/config', '.git/hooks/pre-commit', '.git/hooks/post-checkout', '.git/config.worktree', '.git/commondir'],
  ...[
    'vendor/lib/.git/config',
    '.git/modules/vendor/lib/config',
    '.git/modules/vendor/lib/hooks/pre-commit',
    'tools/hooks/pre-commit',
  ],
  ...['vendor/lib/.git/hooks/pre-commit', 'tools/gitconfig'],
]

const FOLDERS = ['', '', '', '', 'sub/', 'packages/app/', 'src/deep/', 'new/', 'a b/', 'node_modules/../']

/** Other ways to the workspace itself. */
const WAYS = ['', '', '', '', './', '@WORK@/', '@OUT@/into-work/', '/proc/self/cwd/', 'links/../', 'links/git/../']

/** A setting of git that starts a program. */
const SETTINGS = [
  ...['core.fsmonitor', 'core.hooksPath', 'core.pager', 'core.sshCommand', 'core.editor', 'alias.st', 'diff.external'],
  ...[
    'filter.x.clean',
    'include.path',
    'credential.helper',
    'gpg.program',
    'merge.x.driver',
    'core.gitProxy',
    'gc.recentObjectsHook',
  ],
]

const REPOSITORIES: readonly ((setting: string, tongue: Tongue) => string)[] = [
  (setting) => `git config ${setting}`,
  (setting) => `git config --local --replace-all ${setting}`,
  (setting) => `git config --file .git/config ${setting}`,
  (setting) => `d="$(git rev-parse --git-common-dir)" && git config --file "$d/config" ${setting}`,
  (setting) => `git config extensions.worktreeConfig true; git config --worktree ${setting}`,
  (setting) => `git -C vendor/lib config ${setting}`,
  (setting) => `git init -q m && git -C m config ${setting}`,
  (setting, { word }) =>
    `mkdir -p src/deep && git init -q ${word('src/deep/m')} && git -C src/deep/m config ${setting}`,
  (setting) => `git init -q --bare bare.git && git -C bare.git config ${setting}`,
  (setting) => `git clone -q . m 2>/dev/null; git -C m config ${setting}`,
  (setting) => `git worktree add -q m; git -C m config ${setting}`,
  (setting) => `git init -q m && git -C m config ${setting} && mv m m2`,
  (setting) => `git init -q m && git -C m config ${setting} && mv m/.git m/g && mv m/g m/.git`,
  (setting) => `git init -q m && git -C m config ${setting} && cp -r m/.git sub/`,
  (setting) => `git init -q m && git -C m config ${setting} && mv m/.git sub/g && echo 'gitdir: g' > sub/.git`,
  (setting) => `git init -q m && git -C m config ${setting} && chmod 311 m`,
  (setting) => `mv .git g && cp -r g .git && git config ${setting}`,
  (setting) => `mv .git g; ln -s g .git; git config ${setting}`,
  (setting) => `mv .git g; echo 'gitdir: g' > .git; git --git-dir=g config ${setting}`,
  (setting) => `cp -r "$(git rev-parse --git-common-dir)" g; git --git-dir=g config ${setting}; rm -rf .git; mv g .git`,
  (setting) =>
    `cp -r "$(git rev-parse --git-common-dir)" g; git --git-dir=g config ${setting}; echo ../g > .git/commondir`,
  (setting) => `cp -r .git/. disguised/; git --git-dir=disguised config ${setting}`,
  (setting) => `mv vendor v; mkdir -p vendor; cp -r v/lib vendor/lib; git -C vendor/lib config ${setting}`,
]

/** Where there is no repository any more nothing is done, so that nothing is made in the root of the machine. */
const HOOKS = [
  'd="$(git rev-parse --git-path hooks)" && cp evil.sh "$d/post-checkout"',
  'd="$(git rev-parse --git-common-dir)" && mkdir -p "$d/hooks" && ln -s "$PWD/evil.sh" "$d/hooks/post-merge"',
  'd="$(git rev-parse --git-common-dir)" && rm -rf "$d/hooks" && ln -s "$PWD/sub" "$d/hooks"; cp evil.sh sub/pre-commit',
  'd="$(git rev-parse --git-common-dir)" && mv "$d/hooks" "$d/h"; [ -n "$d" ] && mkdir "$d/hooks" && cp evil.sh "$d/hooks/pre-push"',
  'git init -q m; cp evil.sh m/.git/hooks/pre-commit',
  'mkdir -p t/hooks; cp evil.sh t/hooks/pre-commit; git init -q --template=t m',
  'mkdir -p t/hooks; cp evil.sh t/hooks/pre-commit; git init -q --template=t .',
  'git init -q m; rm -rf m/.git/hooks; mkdir m/.git/hooks; ln -s ../../../evil.sh m/.git/hooks/pre-commit',
]

/** When it is made: at once, more than once, or once the command seems to have ended. */
const MOMENTS: readonly ((command: string) => string)[] = [
  ...[1, 2, 3, 4, 5, 6].map(() => (command: string) => command),
  (command) => `(sleep 0.1; ${command}\n) > /dev/null 2>&1 & sleep 0.15`,
  (command) => `( for i in 1 2 3 4 5 6; do ${command}\nsleep 0.02; done ) > /dev/null 2>&1 & sleep 0.05`,
  (command) => `trap ${quoted(command)} EXIT`,
  (command) => `setsid -f bash -c ${quoted(`sleep 0.05; ${command}`)} > /dev/null 2>&1; sleep 0.07`,
  (command) => `trap '' TERM HUP; { ${command}\n} & sleep 0.02`,
  // The first program of a cage, which says when the command has ended; outside of one nothing is done to the first program.
  (command) => `${IN_CAGE} && echo 0 > /proc/1/fd/5; ${command}`,
  (command) =>
    `${IN_CAGE} && { exec 9> /proc/1/fd/5; echo 0 >&9; exec 9>&-; }; for i in 1 2 3 4 5 6; do ${command}\nsleep 0.02; done`,
  (command) => `${IN_CAGE} && kill -STOP 1; { ${command}\n}; ${IN_CAGE} && kill -9 1; sleep 0.05`,
]

const IN_CAGE = 'grep -qsz @MARK@ /proc/1/environ'

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** What stays in the workspace and would run later, outside of the cage. */
export function runningLater(tongue: Tongue): string {
  return tongue.pick(MOMENTS)(tongue.pick([newFile, newFile, newFile, swapped, repository, repository])(tongue))
}

function newFile(tongue: Tongue): string {
  const path = tongue.pick(FOLDERS) + tongue.pick(NAMES)
  const place = tongue.pick(WAYS) + path
  // Some ways take a path below the workspace only.
  const isBelow = place === path
  const make = tongue.pick(isBelow ? MAKERS : MAKERS.slice(0, -4))
  const folder = posix.dirname(place)
  return `${folder === '.' ? '' : `mkdir -p ${tongue.word(folder)}; `}${make(place, tongue)}`
}

/** Something that is made elsewhere and then put where it counts. */
const SWAPS: readonly ((from: string, to: string) => string)[] = [
  (from, to) => `mv ${from} ${to}`,
  (from, to) => `mv -T ${from} ${to}`,
  (from, to) => `rm -rf ${to}; mv ${from} ${to}`,
  (from, to) => `mv ${to} old; mv ${from} ${to}`,
  (from, to) => `ln -s "$PWD"/${from} ${to}`,
  (from, to) => `ln -sfn "$PWD"/${from} ${to}`,
  (from, to) => `rm -rf ${to}; ln -s "$PWD"/${from} ${to}`,
  (from, to) => `mv ${from} node_modules/; ln -s "$PWD/node_modules/made" ${to}`,
  (from, to) => `cp -rT ${from} ${to}`,
  (from, to) => `tar cf t.tar --transform 's,^made,'${to}, ${from} && tar xf t.tar`,
  (from, to) => `perl -e 'rename $ARGV[0],$ARGV[1] or symlink "../$ARGV[0]",$ARGV[1]' ${from} ${to}`,
  (from, to) => `git add -f ${from} && git commit -q --no-verify -m x && git mv -f ${from} ${to}`,
  ...(KNOWS_CALLS
    ? [(from: string, to: string) => `perl -e 'syscall 316,-100,$ARGV[0],-100,$ARGV[1],2' ${from} ${to}`]
    : []),
]

function swapped({ pick, word }: Tongue): string {
  const [first = '', ...rest] = pick(NAMES).split('/')
  const inside = rest.length === 0 ? 'made' : `made/${rest.join('/')}`
  const folder = posix.dirname(inside)
  const start = `${folder === '.' ? '' : `mkdir -p ${word(folder)}; `}echo evil > ${word(inside)}`
  return `${start}; ${pick(SWAPS)('made', word(pick(FOLDERS) + first))}`
}

function repository(tongue: Tongue): string {
  if (tongue.happens(0.2)) return tongue.pick(HOOKS)
  return tongue.pick(REPOSITORIES)(
    `${tongue.word(tongue.pick(SETTINGS))} ${tongue.pick(['./evil.sh', '../evil.sh', "'!./evil.sh'"])}`,
    tongue,
  )
}
