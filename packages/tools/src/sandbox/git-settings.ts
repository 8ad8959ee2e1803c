import { isAbsolute } from 'node:path'
import { type Env, type GitSetting, readGitSettings, type StrangeGit } from './git-configuration.js'
import { harmlessSettings } from './git-programs.js'

/**
 * Variables to run git with in a folder that nobody trusts: none of the settings of the repository there starts a program.
 * A person's own settings stay, their credential helpers too, and numbered settings that the environment has are continued.
 *
 * Settings with a name that can be foreseen are off for every repository that a command goes to. Those with a name of their
 * own, such as the driver in `filter.<driver>.clean`, are looked up: in the repository of the folder, what its settings
 * include, its other worktrees and its submodules. Nothing is started for that but `git config --list` and `git rev-parse`.
 *
 * What no variable can switch off:
 * - the hooks of another repository of this disk that is pushed to: git starts its other end without these variables
 * - drivers and filters of a repository inside of this one that is no submodule
 * - `gc.recentObjectsHook` (git 2.42) at a `git gc` that is typed; only the one that git begins by itself is off
 * - `exec` lines of a rebase that was begun by somebody else, at `git rebase --continue`
 * - what a command asks for itself by `-c`, `--exec`, `--upload-pack` or variables: that is the command's own text
 *
 * And what is lost: a remote with a `vcs` of its own can't be reached, nor any folder of this machine as a remote where one
 * of them names its program (`uploadpack`). What a `filter` would have changed or encrypted stays as it is, but for Git
 * LFS. A merge by a driver is one of plain text.
 */
export async function restrainedGit(cwd: string, env: Env): Promise<Record<string, string>> {
  const git = await readGitSettings(cwd, env)
  const own = ownSettings(git)
  const pairs = [...constantSettings(own), ...foundSettings(git.strange, own), ...credentialHelpers(own)]
  if (pairs.reduce((size, [key, value]) => size + key.length + value.length, 0) > MOST_CHARACTERS) {
    throw new Error(
      `The repository of ${cwd} has more settings that start programs than can be switched off. Look at its configuration.`,
    )
  }
  const first = settingsIn(env)
  const numbered = pairs.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ])
  return {
    ...Object.fromEntries(numbered),
    GIT_CONFIG_COUNT: String(first + pairs.length),
    ...programs(own, env),
    ...allowedProtocols(pairs, env),
    ...(git.tree !== undefined && { GIT_WORK_TREE: git.tree }),
  }
}

/** Above it a command would have no room for its environment. */
const MOST_CHARACTERS = 500_000

function settingsIn({ GIT_CONFIG_COUNT: count = '' }: Env): number {
  return /^\d{1,6}$/.test(count) ? Number(count) : 0
}

/** What a person has set, on this machine or in the environment, and where it does not come from the workspace. */
interface OwnSettings {
  readonly all: readonly GitSetting[]
  last(key: string): string | undefined
}

function ownSettings({ own }: StrangeGit): OwnSettings {
  const last = new Map(own.map(({ key, value }) => [key, value ?? 'true']))
  return {
    all: own,
    last(key) {
      const value = last.get(key)
      // Hooks in a folder that is named from the repository are those of the repository.
      return key === 'core.hookspath' && value !== undefined && !isFixed(value) ? undefined : value
    },
  }
}

function isFixed(path: string): boolean {
  return isAbsolute(path) || /^[~%]/.test(path)
}

type Pair = readonly [key: string, value: string]

/** Settings that are the same for every repository. */
function constantSettings(own: OwnSettings): Pair[] {
  return Object.entries(CONSTANT).map(([key, value]) => [
    key,
    (value !== 'never' && own.last(key.toLowerCase())) || value,
  ])
}

const CONSTANT: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'protocol.ext.allow': 'never',
  'gpg.program': 'gpg',
  'gpg.openpgp.program': 'gpg',
  'gpg.x509.program': 'gpgsm',
  'gpg.ssh.program': 'ssh-keygen',
}

const CONSTANT_KEYS = new Set(Object.keys(CONSTANT).map((key) => key.toLowerCase()))

/** For each setting of the repository that starts a program: what the person has set for it, else what is harmless. */
function foundSettings(strange: readonly GitSetting[], own: OwnSettings): Pair[] {
  const pairs = new Map<string, string>()
  for (const [key, value] of strange.flatMap((setting) => harmlessSettings(setting))) {
    if (CONSTANT_KEYS.has(key) || pairs.get(key) === 'never') continue
    // What forbids holds against what a person allows elsewhere: that was not said of this repository.
    pairs.set(key, value === 'never' ? value : (own.last(key) ?? value))
  }
  return [...pairs]
}

/** Helpers add up, and an empty one takes away all before: so the person's are named once more. */
function credentialHelpers(own: OwnSettings): Pair[] {
  const theirs = own.all.filter(({ key }) => /^credential\.(?:.*\.)?helper$/s.test(key))
  return [['credential.helper', ''], ...theirs.map(({ key, value = '' }): Pair => [key, value])]
}

/** Variables that git asks before its settings. */
function programs(own: OwnSettings, env: Env): Record<string, string> {
  const editor = env.GIT_EDITOR ?? own.last('core.editor') ?? usualEditor(env)
  return {
    GIT_PAGER: 'cat',
    GIT_EDITOR: editor,
    GIT_SEQUENCE_EDITOR: env.GIT_SEQUENCE_EDITOR ?? own.last('sequence.editor') ?? editor,
    GIT_SSH_COMMAND: env.GIT_SSH_COMMAND ?? own.last('core.sshcommand') ?? (env.GIT_SSH ? quoted(env.GIT_SSH) : 'ssh'),
    GIT_ASKPASS: env.GIT_ASKPASS ?? own.last('core.askpass') ?? env.SSH_ASKPASS ?? '',
    GIT_PROXY_COMMAND: env.GIT_PROXY_COMMAND ?? '',
    GIT_TERMINAL_PROMPT: env.GIT_TERMINAL_PROMPT ?? '0',
  }
}

/** As git finds one that nobody has set for it. Where there is no terminal to edit in, an editor would wait for ever. */
function usualEditor({ VISUAL, EDITOR, TERM }: Env): string {
  const canEdit = TERM !== undefined && TERM !== 'dumb'
  return (canEdit && VISUAL) || EDITOR || (canEdit ? 'vi' : 'false')
}

/** The variable is asked before the settings. */
function allowedProtocols(pairs: readonly Pair[], { GIT_ALLOW_PROTOCOL: allowed }: Env): Record<string, string> {
  if (allowed === undefined) return {}
  const refused = pairs.flatMap(([key, value]) => (value === 'never' ? [key.split('.')[1]] : []))
  const left = allowed.split(':').filter((name) => !refused.includes(name))
  return { GIT_ALLOW_PROTOCOL: left.join(':') }
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`
}
