import { setsNothing } from './command-files.js'
import { type CommandPart, nameOf, type ParsedCommand } from './parse-command.js'

/**
 * Where there is no sandbox, only these run without a question, with plain words and the flags named here. Short on purpose:
 * it is read in a minute, and nothing in it depends on what a program makes of an odd word.
 */
const PLAIN: Readonly<Record<string, RegExp | undefined>> = {
  cat: /^-n$/,
  cd: undefined,
  date: undefined,
  echo: undefined,
  false: undefined,
  'git branch': /^(-a|-v|-vv|--show-current)$/,
  'git diff': /^(--stat|--cached|--staged|--name-only|--name-status)$/,
  'git log': /^(-\d+|--oneline|--stat|--graph)$/,
  'git status': /^(-s|-sb|--short|--porcelain)$/,
  grep: /^-[cEFHilnovwx]+$/,
  head: /^-\d+$/,
  ls: /^-[1aAdhlrStF]+$/,
  pwd: undefined,
  stat: undefined,
  tail: /^-\d+$/,
  true: undefined,
  uname: /^-a$/,
  wc: /^-[clw]+$/,
  which: undefined,
  whoami: undefined,
}

/** Nothing that a shell or a program takes for more than a name. */
const PLAIN_WORD = /^[\w./@:,+=][\w./@:,+=-]*$/

/** Whether all of a command line is on that list. */
export function isPlain({ parts, unclear }: ParsedCommand): boolean {
  return unclear.length === 0 && parts.length > 0 && parts.every(isPlainPart)
}

export function isPlainPart(part: CommandPart): boolean {
  const name = nameOf(part)
  if (name === undefined || part.wrapper || part.redirects.length > 0 || !setsNothing(part)) return false
  const texts = part.words.map(({ text }) => text)
  const isGit = name === 'git'
  const command = isGit ? `git ${texts[1]}` : name
  if (!Object.hasOwn(PLAIN, command)) return false
  const flags = PLAIN[command]
  return part.words.slice(isGit ? 2 : 1).every(({ kind, text, source }) => {
    if (kind !== 'static' || source !== text || text.length > MOST_CHARACTERS) return false
    return text.startsWith('-') ? flags?.test(text) === true : PLAIN_WORD.test(text)
  })
}

const MOST_CHARACTERS = 1_000

/**
 * Programs that are called to change files which their words don't name: with these the question comes before the first
 * try, not after it has failed.
 */
const WRITERS: Readonly<Record<string, RegExp>> = {
  bun: /^(add|i|install|remove|update)$/,
  cargo: /^(add|build|check|clippy|fix|fmt|install|remove|run|test|update)$/,
  git: /^(add|am|apply|checkout|cherry-pick|clean|clone|commit|fetch|gc|init|merge|mv|pull|push|rebase|reset|restore|revert|rm|stash|switch|worktree)$/,
  go: /^(build|fmt|generate|get|install|mod|test)$/,
  npm: /^(add|audit|ci|i|init|install|link|pack|prune|publish|rebuild|uninstall|update|version)$/,
  pip: /^(install|uninstall)$/,
  pip3: /^(install|uninstall)$/,
  pnpm: /^(add|i|import|install|link|prune|publish|rebuild|remove|up|update)$/,
  poetry: /^(add|install|lock|remove|update)$/,
  uv: /^(add|lock|pip|remove|sync|venv)$/,
  yarn: /^(add|install|remove|up|upgrade)$/,
}
const LISTING = /^(list|ls|show|status|--list|-l|--dry-run|--help|-h|--version|-n|--stat|--numstat|--summary|--check)$/
export function isPlainWriter(part: CommandPart): boolean {
  const name = nameOf(part)
  if (name === undefined || !Object.hasOwn(WRITERS, name)) return false
  const words = part.words.slice(1).map(({ text }) => text)
  const command = words.find((word) => !word.startsWith('-'))
  if (command === undefined || words.some((word) => word !== command && LISTING.test(word))) return false
  return WRITERS[name]?.test(command) ?? false
}

/** What of git changes the settings of a repository by the way. */
const SETTLING =
  /^(branch (-[dDmMu]\b|--(delete|move|set-upstream-to|unset-upstream|track))|(checkout|switch) .*(-t\b|--track|--guess|\S+\/)|push (.* )?(-u\b|--set-upstream)|submodule |remote (add|remove|rename|rm|set-url|set-branches)|pull .*--set-upstream|clone |worktree |init\b)/
const SUBCOMMAND =
  /^(add|am|apply|branch|checkout|cherry-pick|clean|clone|commit|diff|fetch|gc|init|log|merge|mv|notes|pull|push|rebase|remote|reset|restore|revert|rm|show|stash|status|submodule|switch|tag|worktree)$/

/**
 * Whether a command line is nothing but git and what only reads, in plain words, and changes settings as git does by itself.
 * Nothing in it can change them in another way.
 */
export function settlesGit({ parts, unclear }: ParsedCommand): boolean {
  if (unclear.length > 0 || !parts.every((part) => isOwnGit(part) || isPlainPart(part))) return false
  return parts.some((part) => isOwnGit(part) && SETTLING.test(textsOf(part).slice(1).join(' ')))
}

function isOwnGit(part: CommandPart): boolean {
  const [, subcommand = '', ...rest] = textsOf(part)
  if (nameOf(part) !== 'git' || part.wrapper || part.redirects.length > 0 || part.assignments.length > 0) return false
  if (!SUBCOMMAND.test(subcommand) || (subcommand === 'submodule' && rest.includes('foreach'))) return false
  const isRunning = subcommand === 'clone' || subcommand === 'rebase' ? /^-[cxu]/ : /^ext::/
  return part.words.every(({ kind, text }) => kind === 'static' && !RUNS.test(text) && !isRunning.test(text))
}

/** Flags with which git runs what it is told, or takes settings and programs from the command line. */
const RUNS =
  /^(--(exec|config|upload-pack|receive-pack|template|separate-git-dir|git-dir|work-tree|ext-diff|textconv).*|ext::.*)$/

function textsOf({ words }: CommandPart): readonly string[] {
  return words.map(({ text }) => text)
}
