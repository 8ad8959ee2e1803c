import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { readdir, readFile, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { isWithin } from '../paths.js'

export type Env = Readonly<Record<string, string | undefined>>

/** One setting, its key as git writes it. */
export interface GitSetting {
  readonly key: string
  /** Left out where there is only a name, which is to say yes. */
  readonly value?: string
}

/** What git would do in a folder, divided by whose word it is. */
export interface StrangeGit {
  /** Of the repository and of all in it. */
  readonly strange: readonly GitSetting[]
  /** Of the person, the machine and the environment. */
  readonly own: readonly GitSetting[]
  /** The folder of the working tree, where the repository claims that it lies somewhere else. */
  readonly tree?: string
}

/** Reads all settings that hold in a folder, without starting anything of them. Without git there are none. */
export async function readGitSettings(cwd: string, env: Env): Promise<StrangeGit> {
  const [found, places] = await Promise.all([listed(cwd, env, []), repositoryPlaces(cwd, env)])
  const isStrange = ({ scope, origin }: ScopedSetting) =>
    scope === 'local' || scope === 'worktree' || (places !== undefined && isOfWorkspace(origin, places, env))
  const files = places ? await otherFiles(places) : []
  const local = found.filter(isStrange)
  const conditional = await includedFiles(local, places)
  const more = await settingsOfFiles(cwd, env, [...files, ...conditional])
  const tree =
    places && env.GIT_DIR === undefined && env.GIT_WORK_TREE === undefined ? treeOf(places, local) : undefined
  return {
    strange: [...local, ...more],
    own: found.filter((setting) => !isStrange(setting)),
    ...(tree !== undefined && { tree }),
  }
}

interface ScopedSetting extends GitSetting {
  readonly scope: string
  /** The file that it stands in, as git names it. */
  readonly origin: string
}

async function listed(cwd: string, env: Env, more: readonly string[]): Promise<ScopedSetting[]> {
  const output = await runGit(cwd, env, ['config', '--list', '-z', '--show-scope', '--show-origin', ...more])
  const parts = (output ?? '').split('\0')
  const settings: ScopedSetting[] = []
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [scope = '', origin = '', entry = ''] = parts.slice(at, at + 3)
    const end = entry.indexOf('\n')
    const key = end === -1 ? entry : entry.slice(0, end)
    settings.push({
      scope,
      origin: origin.replace(/^file:/, ''),
      key,
      ...(end !== -1 && { value: entry.slice(end + 1) }),
    })
  }
  return settings
}

const MOST_BYTES = 16 * 1024 * 1024
const PATIENCE = 10_000

function runGit(cwd: string, env: Env, args: readonly string[]): Promise<string | undefined> {
  const options = { cwd, env: { ...env }, maxBuffer: MOST_BYTES, timeout: PATIENCE, encoding: 'utf8' as const }
  return new Promise((resolve, reject) => {
    execFile('git', [...args], options, (error, output) => {
      // What has not ended or not been read whole may hold anything. A complaint of git comes again with the command itself.
      if (error && (error.killed || error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')) reject(error)
      else resolve(error ? undefined : output)
    })
  })
}

interface Places {
  /** Where the worktree has its own things. */
  readonly gitFolder: string
  /** Where all worktrees of the repository have theirs. */
  readonly common: string
  /** The folder that has `.git` in it, above the working folder or that one itself. */
  readonly top: string | undefined
  readonly cwd: string
}

async function repositoryPlaces(cwd: string, env: Env): Promise<Places | undefined> {
  const output = await runGit(cwd, env, ['rev-parse', '--absolute-git-dir', '--git-common-dir'])
  const [gitFolder, common] = output?.split('\n') ?? []
  if (!gitFolder || !common) return undefined
  const here = await realpath(cwd)
  return { gitFolder, common: resolve(here, common), top: topOf(here), cwd: here }
}

function topOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : topOf(dirname(folder))
}

/** Whether a file that a person's own settings include lies in the repository: then it is written by others. */
function isOfWorkspace(origin: string, { top, common, cwd }: Places, env: Env): boolean {
  if (!isAbsolute(origin)) return origin !== '' && !origin.includes(':')
  const home = env.HOME ?? homedir()
  const configuration = env.XDG_CONFIG_HOME || join(home, '.config')
  const own = [
    join(home, '.gitconfig'),
    join(configuration, 'git', 'config'),
    env.GIT_CONFIG_GLOBAL,
    env.GIT_CONFIG_SYSTEM,
  ]
  return !own.includes(origin) && (isWithin(top ?? cwd, origin) || isWithin(common, origin))
}

const MOST_FILES = 500

/** The configuration of submodules and of other worktrees. */
async function otherFiles({ common, top }: Places): Promise<string[]> {
  const files: string[] = []
  await collect(join(common, 'modules'), 'config', files)
  const worktrees = await readdir(join(common, 'worktrees')).catch(() => [])
  files.push(
    join(common, 'config.worktree'),
    ...worktrees.map((name) => join(common, 'worktrees', name, 'config.worktree')),
  )
  for (const path of top === undefined ? [] : await submodulePaths(top)) {
    const inside = join(top ?? '', path, '.git')
    const led = /^gitdir: (.*)/.exec(await readFile(inside, 'utf8').catch(() => ''))?.[1]
    const folder = led === undefined ? inside : resolve(dirname(inside), led)
    files.push(join(folder, 'config'), join(folder, 'config.worktree'))
  }
  if (files.length > MOST_FILES) throw new Error(`The repository has more than ${MOST_FILES} submodules and worktrees.`)
  return files.filter((file) => existsSync(file))
}

/** All files of a name below a folder of submodules, which have theirs in themselves. */
async function collect(folder: string, name: string, files: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const isRepository = entries.some((entry) => entry.name === 'HEAD')
  if (isRepository) files.push(join(folder, 'config'), join(folder, 'config.worktree'))
  for (const entry of entries) {
    if (files.length > MOST_FILES) return
    if (entry.isDirectory() && (!isRepository || entry.name === 'modules'))
      await collect(join(folder, entry.name), name, files)
  }
}

async function submodulePaths(top: string): Promise<string[]> {
  const text = await readFile(join(top, '.gitmodules'), 'utf8').catch(() => '')
  return [...text.matchAll(/^\s*path\s*=\s*(.*?)\s*$/gm)].map(([, path = '']) => path.replace(/^"(.*)"$/, '$1'))
}

/** Files that settings include under a condition that does not hold now: it may in the middle of a command. */
async function includedFiles(settings: readonly ScopedSetting[], places: Places | undefined): Promise<string[]> {
  const files = settings.flatMap(({ key, value, origin }) => {
    if (!/^includeif\..*\.path$/s.test(key) || !value) return []
    const from = dirname(resolve(places?.cwd ?? '.', origin))
    return [value.startsWith('~/') ? join(homedir(), value.slice(2)) : resolve(from, value)]
  })
  return files.filter((file) => existsSync(file))
}

const MOST_DEPTH = 10

/** The settings of files, and of all that these include in turn. */
async function settingsOfFiles(cwd: string, env: Env, files: readonly string[], depth = 0): Promise<ScopedSetting[]> {
  if (files.length === 0 || depth > MOST_DEPTH) return []
  const all: ScopedSetting[] = []
  for (const file of files) {
    const found = await listed(cwd, env, ['--includes', '--file', file])
    const conditional = await includedFiles(found, undefined)
    all.push(...found, ...(await settingsOfFiles(cwd, env, conditional, depth + 1)))
  }
  return all
}

/**
 * A repository may claim that its working tree lies anywhere, and git would then work there: on a person's home. That of a
 * submodule does so rightly, and leads to the folder it is asked in.
 */
function treeOf({ gitFolder, top, cwd }: Places, local: readonly ScopedSetting[]): string | undefined {
  const claimed = local.findLast(({ key }) => key === 'core.worktree')?.value
  if (claimed === undefined) return undefined
  const tree = top ?? cwd
  try {
    return realpathSync(resolve(gitFolder, claimed)) === realpathSync(tree) ? undefined : tree
  } catch {
    return tree
  }
}
