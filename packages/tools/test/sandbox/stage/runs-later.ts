import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Change, Snapshot } from './snapshot.js'

/** Where a change was made. */
interface ChangedIn {
  readonly work: string
  /** The repository of a worktree. */
  readonly main: string
  readonly kind: string
  readonly before: Snapshot
  readonly now: Snapshot
}

/** Names that a shell, an editor, an agent or git reads by itself and that start programs. */
const NAMES = new Set(
  [
    '.nacre .claude .mcp.json .vscode .idea .husky .envrc .githooks .fleet .zed .cursor .devcontainer .helix .lvimrc .pdbrc',
    '.bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .inputrc .gitconfig .gdbinit',
    '.vim .vimrc .exrc .nvimrc .nvim.lua .dir-locals.el .kiro .roo .amazonq .junie .theia .nova .vs .Rprofile .codex .gemini',
  ].flatMap((line) => line.split(' ')),
)
const ENDING = /\.(code-workspace|sublime-project)$/

/** Whether a change in a workspace that may be worked in leaves what runs something later, outside of the cage. */
export function runsLater({ path, what }: Change, { work, main, kind, before, now }: ChangedIn): boolean {
  // A folder in which something was made is told of by what was made in it; what was put back is as it was.
  if (/^(had something|has another time|was linked)/.test(what)) return false
  const inMain = kind === 'worktree' && path !== work && !path.startsWith(`${work}/`)
  const parts = relative(inMain ? main : work, path).split('/')
  if (inMain && parts[0] !== '.git') return true
  // Folders that are made empty and stay so do nothing.
  const is = now.get(path)
  const isEmptyFolder = is?.kind === 'folder' && !filled(now).has(path)
  const named = parts.findIndex((name) => NAMES.has(name) || ENDING.test(name))
  if (named > 0 && (what === 'is gone' || parts[0] === 'node_modules' || isCopy(path, parts.slice(named), before, now)))
    return false
  if (named >= 0) return !(isEmptyFolder && named === parts.length - 1)
  if (kind === 'module' && /^tools\/(hooks\/|gitconfig)/.test(parts.join('/')) && what !== 'is gone') return true
  const at = parts.indexOf('.git')
  if (what === 'is gone' && (at > 0 || (at === 0 && parts[1] === 'modules'))) return false
  // Nobody works there, and no editor looks for repositories there; the page on safety says that nobody looks after it.
  if (parts.slice(0, at === -1 ? undefined : at).includes('node_modules')) return false
  if (at >= 0) {
    const isPart = parts[at + 1] !== 'modules' || parts.length === at + 2 || isBelowHead(path, now)
    if (!isPart || !isWorthOfGit(parts.slice(at + 1), what, isEmptyFolder)) return false
    if (isHarmlessChange(path, what, { before, now })) return false
    if (!isHarmlessNew(path, is?.bytes, what)) return true
  }
  const target = is?.target === undefined ? undefined : now.get(resolve(dirname(path), is.target))
  return isHostileSetting(path, (target ?? is)?.bytes, { before, now })
}

const known = new WeakMap<Snapshot, ReadonlySet<string>>()

/** The folders that something is in. */
function filled(now: Snapshot): ReadonlySet<string> {
  const found = known.get(now) ?? new Set([...now.keys()].map((path) => dirname(path)))
  known.set(now, found)
  return found
}

/** Whether a part of a repository decides what git runs. */
function isWorthOfGit(parts: readonly string[], what: string, isEmptyFolder: boolean): boolean {
  const [first = '', ...rest] = parts
  if (first === '') return /gone|points|was a|is new \(link|is new \(file/.test(what)
  if (first === 'modules' && rest.length === 0) return what.startsWith('is new (link')
  if (first === 'modules')
    return rest.some((name, index) => index > 0 && /^(config|config\.worktree|hooks|commondir)$/.test(name))
  if (first === 'worktrees') return /^(commondir|gitdir|config.*)$/.test(rest[1] ?? '')
  return /^(config|config\.worktree|hooks|commondir|gitdir)$/.test(first) && !isEmptyFolder
}

/** What git itself writes when it makes a repository or a worktree. */
function isHarmlessNew(path: string, bytes: Buffer | undefined, what: string): boolean {
  if (!/^is new|^was a file and is a folder/.test(what)) return false
  if (what.endsWith('folder') && basename(path) === '.git') return true
  const text = bytes?.toString() ?? ''
  if (basename(path) === 'config') return !isHostile(text)
  if (path.includes('/hooks/')) return path.endsWith('.sample')
  if (basename(path) === 'hooks') return what === 'is new (folder)'
  if (basename(path) === '.git') return /^gitdir: .*\/\.git\/(worktrees|modules\/vendor)\/[\w-]+\n$/.test(text)
  return (basename(path) === 'commondir' && text === '../..\n') || basename(path) === 'gitdir'
}

/** Without a head somewhere above there is no repository of a module. */
function isBelowHead(path: string, now: Snapshot): boolean {
  const folder = dirname(path)
  return basename(folder) !== 'modules' && (now.has(join(folder, 'HEAD')) || isBelowHead(folder, now))
}

/** What git itself writes into settings that are there: a remote, a branch. */
function isHarmlessChange(path: string, what: string, { before, now }: Pick<ChangedIn, 'before' | 'now'>): boolean {
  if (!what.startsWith('has other content') || basename(path) !== 'config') return false
  const [was = '', is = ''] = [before, now].map((each) => each.get(path)?.bytes?.toString())
  const known = new Set(was.split('\n'))
  const added = is.split('\n').filter((line) => !known.has(line))
  return !isHostile(added.join('\n')) && !added.some((line) => /node_modules|\.git\/./.test(line))
}

/** Settings of git that start a program. */
const STARTS =
  /^\s*(?:\[.*\]\s*)?(fsmonitor|recentobjectshook|hookspath|pager|editor|sshcommand|askpass|gitproxy|external|textconv|clean|smudge|process|driver|command|helper|program|cmd|path|attributesfile|packobjectshook|uploadpack|receivepack|update)\s*=\s*\S/im

function isHostile(settings: string): boolean {
  return STARTS.test(settings) || SECTIONS.test(settings) || ELSEWHERE.test(settings)
}

const SECTIONS = /^\s*\[(include|alias|filter|diff|merge|credential|gpg|includeif)/im
/** Files are put where no repository is; those of a module lie some folders up. */
const ELSEWHERE = /^\s*worktree\s*=\s*(?:"?\/|(?:\.\.\/?)+\s*$)/im

/** A folder that git takes for a repository, by whatever name it has, with settings that start a program. */
function isHostileSetting(
  path: string,
  bytes: Buffer | undefined,
  { before, now }: Pick<ChangedIn, 'before' | 'now'>,
): boolean {
  const name = basename(path)
  const folder = dirname(path)
  if (!isRepository(folder, now)) return false
  const common = join(resolve(folder, bytes?.toString().trim() ?? ''), 'config')
  // A worktree has the settings of the person's own repository.
  if (name === 'commondir' && basename(dirname(common)) === '.git' && isAsBefore(common, { before, now })) return false
  const settings = name === 'commondir' ? now.get(common)?.bytes : bytes
  return /^(config|config\.worktree|commondir)$/.test(name) && isHostile(settings?.toString() ?? '')
}

/** As git sees it: one that was being copied or removed when all of a cage was ended is none. */
function isRepository(folder: string, now: Snapshot): boolean {
  const has = (name: string) => now.has(join(folder, name))
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')))
}

function isAsBefore(path: string, { before, now }: Pick<ChangedIn, 'before' | 'now'>): boolean {
  const was = before.get(path)?.bytes
  return was !== undefined && now.get(path)?.bytes?.equals(was) === true
}

/** Whether what is new below a folder is the same as what another folder has had by that name: as in a clone. */
function isCopy(path: string, rest: readonly string[], before: Snapshot, now: Snapshot): boolean {
  const is = now.get(path)
  const end = `/${rest.join('/')}`
  return [...before].some(
    ([other, was]) =>
      other.endsWith(end) &&
      was.kind === is?.kind &&
      (is.kind === 'folder' || (is.bytes && was.bytes?.equals(is.bytes))),
  )
}
