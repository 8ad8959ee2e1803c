import type { CommandWord } from './command-word.js'
import { type HarmlessCommand, harmlessOperands } from './harmless-commands.js'

const DIFF =
  '-p -u -s --patch --no-patch -U --unified --raw --minimal --patience --histogram --diff-algorithm --stat --numstat --shortstat --dirstat --summary --patch-with-stat -z --name-only --name-status --color --no-color --word-diff --word-diff-regex --color-words --color-moved --no-renames --check --full-index --binary --abbrev -B -M -C -D -R -a --text -b -w -W --find-renames --find-copies --diff-filter -S -G --pickaxe-all --pickaxe-regex --relative --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --inter-hunk-context --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules --src-prefix --dst-prefix --no-prefix --cached --staged --merge-base --cc -c -m --compact-summary --no-index'
const LOG = `${DIFF} -# -n --max-count --skip --since --after --until --before --author --committer --grep -i --regexp-ignore-case -E -F -P --all-match --invert-grep --merges --no-merges --min-parents --max-parents --first-parent --all --branches --tags --remotes --glob --exclude --reverse --follow --oneline --pretty --format --abbrev-commit --no-abbrev-commit --decorate --no-decorate --decorate-refs --source --graph --date --relative-date --topo-order --date-order --author-date-order --left-right --cherry --cherry-pick --cherry-mark --boundary --simplify-by-decoration --full-history --ancestry-path --walk-reflogs -g --notes --no-notes --show-notes -L --no-walk --encoding --parents --children --left-only --right-only --show-pulls`
const LOG_VALUED =
  '-n -S -G -L --max-count --skip --since --after --until --before --author --committer --grep --diff-filter'
const REFS =
  '-a -r -v -l --all --remotes --verbose --list --show-current --contains --no-contains --merged --no-merged --points-at --sort --format --color --no-color --column --no-column --abbrev --no-abbrev -i --ignore-case -n'
const paths = (only: string, valued = ''): HarmlessCommand => ({
  operands: 'paths',
  only,
  valued,
  attached: '-U',
})

const SUBCOMMANDS: Readonly<Record<string, HarmlessCommand>> = {
  annotate: paths('-l -s -w -L -M -C', '-L'),
  blame: paths(
    '-b -l -t -s -e -w -p -n -f -c -L -M -C --root --porcelain --line-porcelain --date --show-name --show-email --show-number --since --reverse --first-parent --color-lines --color-by-age --abbrev',
    '-L',
  ),
  'cat-file': paths('-t -s -e -p --batch --batch-check --batch-all-objects --unordered --buffer --follow-symlinks'),
  'check-attr': paths('-a --all --cached --stdin -z'),
  'check-ignore': paths('-q -v -z -n --quiet --verbose --stdin --non-matching --no-index'),
  cherry: paths('-v --abbrev'),
  'count-objects': paths('-v -H --verbose --human-readable'),
  describe: paths(
    '--all --tags --contains --abbrev --candidates --exact-match --long --match --exclude --always --first-parent --dirty --broken',
  ),
  diff: paths(DIFF, '-S -G --diff-filter'),
  'diff-files': paths(DIFF),
  'diff-index': paths(DIFF),
  'diff-tree': paths(`${DIFF} -r -t --root --stdin --no-commit-id --pretty --format`),
  'for-each-ref': paths(`${REFS} --count --shell --perl --python --tcl --omit-empty`),
  grep: paths(
    '-n -i -I -v -w -l -L -c -o -e -E -F -G -P -h -H -p -q -r -W -A -B -C -m --line-number --ignore-case --word-regexp --files-with-matches --name-only --count --cached --no-index --untracked --extended-regexp --fixed-strings --perl-regexp --max-depth --max-count --heading --break --color --no-color --and --or --not --all-match --quiet --show-function --function-context --context --after-context --before-context --column',
    '-e -A -B -C -m',
  ),
  log: paths(LOG, LOG_VALUED),
  'ls-files': paths(
    '-c -d -m -o -i -s -u -k -z -t -v -f -x -X --cached --deleted --modified --others --ignored --stage --unmerged --killed --directory --no-empty-directory --eol --exclude --exclude-standard --error-unmatch --full-name --recurse-submodules --abbrev --deduplicate --format',
    '-x -X',
  ),
  'ls-tree': paths(
    '-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree --abbrev --format',
  ),
  'merge-base': paths('-a --all --octopus --independent --is-ancestor --fork-point'),
  'name-rev': paths('--tags --refs --exclude --all --name-only --no-undefined --always'),
  'range-diff': paths(LOG),
  'rev-list': paths(`${LOG} --count --objects --timestamp --header --use-bitmap-index --disk-usage`, LOG_VALUED),
  'rev-parse': paths(
    '--abbrev-ref --short --verify -q --quiet --symbolic --symbolic-full-name --all --branches --tags --remotes --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --git-path --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-superproject-working-tree --show-object-format --revs-only --flags --no-flags --default --sq --not --since --until --local-env-vars',
  ),
  shortlog: paths(`${LOG} -s -e -w --summary --numbered --email --group`, LOG_VALUED),
  show: paths(LOG, LOG_VALUED),
  'show-branch': paths(
    '-a -r --all --remotes --current --topo-order --date-order --sparse --more --list --merge-base --independent --no-name --sha1-name --topics --color --no-color',
  ),
  'show-ref': paths('--head --tags --heads --branches -d --dereference -s --hash --verify --abbrev -q --quiet'),
  status: paths(
    '-s -b -v -u -z --short --branch --show-stash --porcelain --long --verbose --untracked-files --ignore-submodules --ignored --column --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames',
  ),
  version: paths('--build-options'),
  whatchanged: paths(LOG, LOG_VALUED),
}

/** Subcommands that list in one form and change something in another: the words that make them list. */
const LISTING: Readonly<Record<string, readonly { readonly words?: string; readonly spec: HarmlessCommand }[]>> = {
  branch: [
    {
      spec: {
        operands: 'none',
        most: 0,
        only: REFS,
        valued: '--contains --no-contains --merged --no-merged --points-at --sort --format',
      },
    },
    { words: '--list', spec: paths(REFS) },
  ],
  config: ['--get', '--get-all', '--get-regexp', '--list', '-l', 'list', 'get'].map((words) => ({
    words,
    spec: paths(
      '--get --get-all --get-regexp --list -l --show-origin --show-scope --local --global --system --worktree --name-only --type --bool --int --path -z --null --includes',
    ),
  })),
  notes: [
    { words: 'list', spec: paths('') },
    { words: 'show', spec: paths('') },
  ],
  reflog: [
    { spec: { operands: 'none', most: 0, only: LOG, valued: LOG_VALUED } },
    { words: 'show', spec: paths(LOG, LOG_VALUED) },
  ],
  remote: [
    { spec: { operands: 'none', most: 0, only: '-v --verbose' } },
    { words: 'get-url', spec: paths('--push --all') },
  ],
  stash: [
    { words: 'list', spec: paths(LOG, LOG_VALUED) },
    { words: 'show', spec: paths(`${DIFF} --include-untracked --only-untracked`) },
  ],
  tag: [
    {
      spec: {
        operands: 'none',
        most: 0,
        only: `${REFS} --column`,
        valued: '--contains --merged --points-at --sort --format',
      },
    },
    { words: '-l', spec: paths(`${REFS} -n`) },
    { words: '--list', spec: paths(`${REFS} -n`) },
  ],
  worktree: [{ words: 'list', spec: paths('-v --verbose --porcelain -z') }],
}

const GLOBAL = new Set([
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  '--no-replace-objects',
  '--icase-pathspecs',
])

/** What a git command reads when it only reads; nothing when it may do more. `folder` is where it goes first. */
export function harmlessGit(
  args: readonly CommandWord[],
): { readonly operands: readonly CommandWord[]; readonly folder?: CommandWord } | undefined {
  let at = 0
  let folder: CommandWord | undefined
  for (; args[at]?.text.startsWith('-'); at++) {
    const { text } = args[at] as CommandWord
    if (text === '--version') return { operands: [] }
    if (text === '-C' && args[at + 1]?.kind === 'static' && !folder) folder = args[++at]
    else if (!GLOBAL.has(text)) return undefined
  }
  const [subcommand, ...rest] = args.slice(at)
  if (subcommand?.kind !== 'static') return undefined
  const operands = operandsOf(subcommand.text, rest)
  return operands && { operands, ...(folder && { folder }) }
}

function operandsOf(name: string, rest: readonly CommandWord[]): readonly CommandWord[] | undefined {
  if (Object.hasOwn(SUBCOMMANDS, name)) return harmlessOperands(rest, SUBCOMMANDS[name] as HarmlessCommand)
  if (!Object.hasOwn(LISTING, name)) return undefined
  for (const { words, spec } of LISTING[name] ?? []) {
    if (words?.startsWith('-') && !isAsked(words, rest)) continue
    const isFirst = words === undefined || words.startsWith('-')
    if (!isFirst && rest[0]?.text !== words) continue
    const operands = harmlessOperands(isFirst ? rest : rest.slice(1), spec)
    if (operands) return operands
  }
  return undefined
}

const UNVALUED =
  /^(-[arvilzn]|--(all|remotes|verbose|ignore-case|show-origin|show-scope|local|global|system|worktree|name-only|null|includes|bool|int|path|no-color)|--[\w-]+=.*)$/

/** Whether a flag is there as one: behind a flag that takes a value, or behind a name, it is neither to git. */
function isAsked(flag: string, rest: readonly CommandWord[]): boolean {
  const at = rest.findIndex(({ text }) => text === flag)
  return at !== -1 && rest.slice(0, at).every(({ text }) => UNVALUED.test(text))
}
