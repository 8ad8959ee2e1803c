import { accessSync, constants, existsSync, readlinkSync, realpathSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path'
import type { Id } from '@nacre/core'

/** Where a path leads once every link in it is followed. What does not exist yet is named below the deepest folder that does. */
export async function realPath(path: string, cwd = '.'): Promise<string> {
  const absolute = resolve(cwd, path)
  try {
    return await realpath(absolute)
  } catch (error) {
    const parent = dirname(absolute)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === absolute) throw error
    return join(await realPath(parent), basename(absolute))
  }
}

/**
 * Where a path leads as the system follows it: `link/..` is the folder above what the link leads to, a link to what does
 * not exist yet leads there all the same. Never throws: what can't be followed is named as it stands.
 */
export function leadsTo(path: string, cwd: string): string {
  return follow(isAbsolute(path) ? path : cwd + sep + path, 0)
}

function follow(path: string, links: number): string {
  const { root } = parse(path)
  let reached = root
  for (const segment of path.slice(root.length).split(SEPARATORS)) {
    if (segment === '' || segment === '.') continue
    reached = segment === '..' ? dirname(reached) : step(join(reached, segment), links)
  }
  return reached
}

const MOST_LINKS = 40
const SEPARATORS = sep === '\\' ? /[\\/]/ : /\//

function step(path: string, links: number): string {
  try {
    return realpathSync.native(path)
  } catch {
    const target = linkAt(path)
    if (target === undefined || links >= MOST_LINKS) return path
    return follow(isAbsolute(target) ? target : dirname(path) + sep + target, links + 1)
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/**
 * Ties the use of a path to what was judged. A link that is swapped between the two would lead a tool to a place that
 * nobody allowed: so a tool asks again with the path that it has really opened.
 */
export interface PathGuard {
  /** Throws, with a text for the model, when the call was judged for another place. Calls that nobody judged pass. */
  verify(call: Id, realPath: string): void
  /** Whether a file below the place that a call was judged for has to be left out: nobody has allowed to read that one. */
  hides?(call: Id, path: string): boolean
}

/** Whether an absolute path is a folder itself or lies somewhere below it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The folder of the repository that a folder lies in; the folder itself where it lies in none. */
export function projectRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return folder
  }
}

/** The folders from one down to another below it, both included. */
export function foldersBetween(root: string, folder: string): readonly string[] {
  return folder === root || dirname(folder) === folder ? [folder] : [...foldersBetween(root, dirname(folder)), folder]
}

/** Where those who look after a machine keep what holds for everybody on it. */
export function managedFolder(): string {
  if (process.platform === 'darwin') return '/Library/Application Support/nacre'
  return process.platform === 'win32' ? join(process.env.PROGRAMDATA ?? 'C:\\ProgramData', 'nacre') : '/etc/nacre'
}

/** Where plans lie, below a working directory. */
export const PLANS_FOLDER = join('.nacre', 'plans')

/** The names of files with instructions for agents, the more particular later. */
export const INSTRUCTION_NAMES = ['AGENTS.md', 'CLAUDE.md', 'NACRE.md'] as const

/** Those that a person keeps beside them for themselves. */
export const LOCAL_INSTRUCTION_NAMES = INSTRUCTION_NAMES.map((name) => name.replace(/\.md$/, '.local.md'))

export function isInstructionFile(path: string): boolean {
  return [...INSTRUCTION_NAMES, ...LOCAL_INSTRUCTION_NAMES].includes(basename(path))
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
