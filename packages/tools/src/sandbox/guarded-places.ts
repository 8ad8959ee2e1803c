import { lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isWithin } from '../paths.js'
import { entriesOf, onDisk } from './disk-names.js'
import { type Kept, kindOf, ownRepository, type RepositoryPlace, watchedIn } from './repositories.js'

/** What is in a workspace that a cage has to know of. */
export interface GuardedPlaces {
  /** Files that hold keys. */
  readonly secret: readonly string[]
  /** Pipes and sockets, by which programs outside are reached. */
  readonly pipes: readonly string[]
  /** Files and folders that would run something outside of the cage, and those that lead git to such. */
  readonly guarded: readonly string[]
  /** What links by guarded names lead to in the workspace. */
  readonly linked: readonly string[]
  /**
   * What would run where a person works in another repository below: its settings, its hooks, and what leads to them, with
   * what is in each. They may go with their repository, so that nothing can be mounted on them.
   */
  readonly watched: ReadonlyMap<string, Kept>
  /** Links by names that are guarded, which nothing can be mounted on either, with where they lead. */
  readonly links: ReadonlyMap<string, string>
  /** The repository of the workspace itself, a folder or a file. */
  readonly git: string | undefined
  /** Folders of git outside of the workspace that a command has to write to when it commits. */
  readonly repositories: readonly string[]
}

/** `.env` and what is called after it, but for those that show how one looks. Certificates of tests are none. */
const SECRET =
  /^\.env(\.(?!(example|sample|template|dist|defaults?|schema|spec)$)[\w.-]+)?$|^(?!(example|sample|template|dist|defaults?|schema|spec)\.)[\w-]+\.env$|^\.(netrc|pypirc|pgpass|git-credentials|vault-token)$|^id_(rsa|dsa|ecdsa|ed25519)$/

const GUARDED = new Set(
  [
    '.mcp.json .claude .claude.json .nacre .codex .gemini .opencode .cursor .windsurf .continue .aider.conf.yml',
    '.vscode .idea .fleet .zed .devcontainer .devcontainer.json .vim .nvim .vimrc .exrc .nvimrc .nvim.lua .dir-locals.el',
    '.kiro .vs .roo .amazonq .theia .helix .junie .nova .trae .qodo .augment .clinerules .pearai .void .lapce .kakrc .lvimrc',
    '.pdbrc .Rprofile .julia .octaverc .ghci .utop.ml .ocamlinit .iex.exs .gdbinit .lldbinit .envrc .direnv .husky .githooks .gitconfig .inputrc .tmux.conf',
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout',
    '.kshrc .cshrc .tcshrc .login .logout .config.fish .xprofile .xinitrc .pam_environment .pythonrc .irbrc .pryrc .screenrc',
    'opencode.json opencode.jsonc crush.json .crush.json .qwen .kilocode .factory .amp .goosehints .copilot .dir-locals-2.el',
    '_vimrc .local.vimrc .vimrc.local .autoenv .autoenv.zsh .tmux.conf.local',
  ].flatMap((line) => line.split(' ')),
)
const GUARDED_ENDING = /\.(code-workspace|sublime-project|sublime-workspace)$/

/** What lies in these is nobody's own, and there is a lot of it. */
const NOT_LOOKED_INTO = new Set(['node_modules', '.git', '.hg', '.svn'])

/** By what programs of the person are named there that prompts run. */
const VERSIONS: Readonly<Record<string, string>> = { '.hg': 'hgrc', '.sl': 'config', '.jj': 'repo/config.toml' }

/** Below a folder only this many others are looked at when it is first seen, the nearer ones first. */
const MOST_FOLDERS = 20_000
/** Those that come later are looked at all the same, or a command would make as many in front of what it hides. */
const MOST_ADDED = 200_000
/** At a time. */
const BATCH = 64

function isGuardedName(name: string): boolean {
  return GUARDED.has(name) || GUARDED_ENDING.test(name)
}

/** Whether a cage keeps a path of the workspace from being written, by its name. */
export function isGuarded(path: string): boolean {
  return path.split('/').some(isGuardedName) || IN_GIT.test(path)
}

const IN_GIT = /\/\.git(\/(config|config\.worktree|commondir|gitdir|hooks|modules|worktrees)(\/|$)|$)/

function isSecretName(name: string): boolean {
  return SECRET.test(name)
}

/** A folder as it was when it was read. */
interface ReadFolder {
  readonly changed: bigint
  readonly folders: readonly string[]
  readonly secret: readonly string[]
  readonly pipes: readonly string[]
  readonly guarded: readonly string[]
  /** By names that are guarded, with where they lead. */
  readonly links: readonly (readonly [string, string])[]
  /** All others: where they lead is asked anew each time. */
  readonly otherLinks: readonly string[]
  /** It is itself one to git, without a folder of files: where a person goes into it git does as it says. */
  readonly isRepository: boolean
  /** Its `.git`, a folder or a file. */
  readonly git?: RepositoryPlace
  /** Folders of other systems that keep versions. */
  readonly versions: readonly string[]
}

interface LookOptions {
  readonly mostFolders?: number
  isLookedInto?(folder: string): boolean
  /** Beside what is guarded and secret everywhere. */
  isGuardedToo?(path: string): boolean
  isSecretToo?(name: string): boolean
}

/**
 * Knows what a workspace has in it that holds keys or would run later. A folder is read again only when the kernel says that
 * it has changed, which no program can take back: so a look costs a question for each folder, and reads what is new.
 */
export function guardedPlaces(
  root: string,
  { mostFolders = MOST_FOLDERS, isLookedInto = () => true, ...too }: LookOptions = {},
): { look(): Promise<GuardedPlaces> } {
  let known: ReadonlyMap<string, ReadFolder> | undefined
  const beyond = new Set<string>()
  return {
    async look() {
      const isFirst = known === undefined
      const before = known ?? new Map<string, ReadFolder>()
      const now = new Map<string, ReadFolder>()
      let next = [root]
      while (next.length > 0) {
        const level: string[] = []
        for (let at = 0; at < next.length; at += BATCH) {
          const batch = next.slice(at, at + BATCH)
          const read = await Promise.all(batch.map((folder) => readOnce(folder, before.get(folder), too)))
          for (const [index, one] of read.entries()) {
            if (!one) continue
            now.set(batch[index] as string, one)
            level.push(...one.folders, ...(await strangeFolders(root, one.otherLinks)))
          }
        }
        const room = (isFirst ? mostFolders : mostFolders + MOST_ADDED) - now.size
        const below = [...new Set(level)].filter((each) => isLookedInto(each) && !now.has(each) && !beyond.has(each))
        next = below.slice(0, Math.max(room, 0))
        if (isFirst) for (const each of below.slice(next.length)) beyond.add(each)
      }
      known = now
      return gathered(root, now, { isFirst, beyond })
    },
  }
}

const MOST_LINKS = 2_000

/** Folders of the workspace in which nobody would look, but for a link that leads there. */
async function strangeFolders(root: string, links: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    links.slice(0, MOST_LINKS).map(async (link) => {
      const place = await realpath(onDisk(link)).catch(() => '')
      const isStrange = isWithin(root, place) && /\/node_modules\/[^/]/.test(place.slice(root.length))
      return isStrange && (await kindOf(place)) === 'folder' ? [place] : []
    }),
  )
  return found.flat()
}

async function readOnce(
  folder: string,
  before: ReadFolder | undefined,
  { isGuardedToo, isSecretToo }: LookOptions,
): Promise<ReadFolder | undefined> {
  try {
    const found = await lstat(onDisk(folder), { bigint: true })
    const { ctimeNs: changed } = found
    if (before?.changed === changed) return before
    if (!found.isDirectory()) return undefined
    const entries = await entriesOf(folder)
    const named = (is: (name: string) => boolean) => entries.filter(({ name }) => is(name))
    const guarded = entries.filter(({ name, path }) => isGuardedName(name) || isGuardedToo?.(path))
    const guardedPaths = new Set(guarded.map(({ path }) => path))
    const links = entries.filter(({ entry }) => entry.isSymbolicLink())
    const git = entries.find(({ name }) => name === '.git')
    return {
      changed,
      folders: entries.flatMap(({ entry, name, path }) =>
        entry.isDirectory() && !NOT_LOOKED_INTO.has(name) ? [path] : [],
      ),
      secret: named((name) => isSecretName(name) || isSecretToo?.(name) === true).flatMap(({ entry, path }) =>
        entry.isFile() ? [path] : [],
      ),
      pipes: entries.flatMap(({ entry, path }) => (entry.isFIFO() || entry.isSocket() ? [path] : [])),
      isRepository: isRepository(new Set(entries.map(({ name }) => name))),
      guarded: guarded.flatMap(({ entry, path }) => (entry.isSymbolicLink() ? [] : [path])),
      links: await Promise.all(
        links
          .filter(({ path }) => guardedPaths.has(path))
          .map(async ({ path }) => [path, await readlink(onDisk(path))] as const),
      ),
      otherLinks: links.flatMap(({ path }) => (guardedPaths.has(path) ? [] : [path])),
      versions: entries.flatMap(({ entry, name, path }) =>
        entry.isDirectory() && Object.hasOwn(VERSIONS, name) ? [join(path, VERSIONS[name] ?? '')] : [],
      ),
      ...(git && { git: { path: git.path, isFolder: git.entry.isDirectory() } }),
    }
  } catch {
    // Gone meanwhile, or nobody's business: a command can't look into it either.
    return undefined
  }
}

function isRepository(names: ReadonlySet<string>): boolean {
  return names.has('HEAD') && ((names.has('objects') && names.has('refs')) || names.has('commondir'))
}

interface Seen {
  readonly isFirst: boolean
  /** What there was too much of when the workspace was first seen. */
  readonly beyond: Set<string>
}

async function gathered(
  root: string,
  found: ReadonlyMap<string, ReadFolder>,
  { isFirst, beyond }: Seen,
): Promise<GuardedPlaces> {
  const folders = [...found.values()]
  const bare = [...found].flatMap(([folder, { isRepository: is }]) => (is ? [folder] : []))
  const gits = folders.flatMap(({ git }) => (git ? [git] : []))
  const own = gits.find(({ path }) => dirname(path) === root)
  const others = [...gits.filter((git) => git !== own), ...bare.map((path) => ({ path, isFolder: true }))]
  if (isFirst) for (const { path } of others.slice(MOST_REPOSITORIES)) beyond.add(`repository ${path}`)
  const [main, secret, ...nested] = await Promise.all([
    own && ownRepository(own, root),
    Promise.all(folders.flatMap(({ otherLinks }) => otherLinks).map(secretBehind)),
    ...others.filter(({ path }) => !beyond.has(`repository ${path}`)).map(watchedIn),
    ...folders.flatMap(({ versions }) => versions).map((path) => watchedIn({ path, isFolder: false })),
  ])
  const links = folders.flatMap((folder) => folder.links)
  return {
    secret: [...folders.flatMap((folder) => folder.secret), ...secret.flat()],
    pipes: folders.flatMap(({ pipes }) => pipes),
    guarded: [...folders.flatMap(({ guarded }) => guarded), ...(main?.guarded ?? [])],
    watched: new Map([...(main?.watched ?? []), ...nested.flat()]),
    linked: (await Promise.all(links.map(([link]) => behind(link, root)))).flat(),
    links: new Map(links),
    git: own?.path,
    repositories: (main?.folders ?? []).filter((folder) => !isWithin(root, folder)),
  }
}

/** What it leads to in the workspace runs by the name of the link. */
async function behind(link: string, root: string): Promise<readonly string[]> {
  const place = await realpath(onDisk(link)).catch(() => '')
  return isWithin(root, place) && !isWithin(place, link) ? [place] : []
}

/** What such a link leads to holds a key, whatever it is called itself. */
async function secretBehind(link: string): Promise<readonly string[]> {
  if (!isSecretName(basename(link))) return []
  const place = await realpath(onDisk(link)).catch(() => '')
  return place && (await kindOf(place)) === 'file' ? [place] : []
}

const MOST_REPOSITORIES = 200
