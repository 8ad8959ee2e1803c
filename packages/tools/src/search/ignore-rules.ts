import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { kindOf } from '@nacre/core/node'
import type { GlobTest } from '../costly-glob.js'
import { globExpression } from './file-filter.js'

/** The ignore files of one folder, above those of its parents. */
export interface IgnoreLevel {
  /** With a '/' at its end. */
  readonly folder: string
  readonly files: readonly (readonly IgnoreRule[])[]
  readonly isRepository: boolean
  readonly parent?: IgnoreLevel
  readonly everywhere: GlobalRules
}

interface GlobalRules {
  /** What they are relative to: the folder in which the search begins. */
  readonly folder: string
  readonly rules: readonly IgnoreRule[]
  readonly passOver: PassOver
}

/** Hears of a file that is passed over, and why. */
export type PassOver = (path: string, why: string) => void

// In the order of their weight. Git's own files, the last two, end at the repository.
const NAMES = ['.rgignore', '.ignore', '.gitignore', '.git/info/exclude']
const OF_GIT = 2

/** Whether a folder is part of a git repository. Outside of one, ignore files of git count all the way up. */
export function isInRepository(folder: string): boolean {
  return ['.git', '.jj'].some((name) => existsSync(join(folder, name))) || hasParent(folder, isInRepository)
}

/** Whether a folder above has an ignore file. */
export function hasRulesAbove(folder: string): boolean {
  return hasParent(folder, (parent) => NAMES.some((name) => existsSync(join(parent, name))) || hasRulesAbove(parent))
}

/** Whether an ignore file of a folder or above it can not be read as one. Ripgrep would wait for it, or read without end. */
export function hasOddRules(folder: string): boolean {
  let isOdd = false
  const note = () => {
    isOdd = true
  }
  globalExcludes(note)
  for (let at = folder; ; at = dirname(at)) {
    for (const name of NAMES) readText(join(at, name), note)
    if (isOdd || dirname(at) === at) return isOdd
  }
}

/** The same for all folders below, links not followed. Ends with `false` when the signal aborts. */
export async function hasOddRulesBelow(root: string, signal: AbortSignal): Promise<boolean> {
  const folders = [root]
  for (let folder = folders.pop(); folder !== undefined && !signal.aborted; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const names = new Set(entries.map(({ name }) => name.toString()))
    let isOdd = false
    for (const name of NAMES) {
      if (!names.has(name.split('/')[0] ?? name)) continue
      readText(join(folder, name), () => {
        isOdd = true
      })
    }
    if (isOdd) return true
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name !== '.git') folders.push(join(folder, entry.name))
    }
  }
  return false
}

/** The levels of a folder and of all above it. */
export function ignoreLevels(folder: string, isWithinGit: boolean, passOver: PassOver): IgnoreLevel {
  const rules = globalExcludes(passOver)
  return levelsUp(folder, isWithinGit, { folder: withSlash(folder), rules, passOver })
}

function levelsUp(folder: string, isWithinGit: boolean, everywhere: GlobalRules): IgnoreLevel {
  const parent = dirname(folder) === folder ? undefined : levelsUp(dirname(folder), isWithinGit, everywhere)
  const isRepository = isWithinGit && ['.git', '.jj'].some((name) => existsSync(join(folder, name)))
  return ignoreLevel(folder, NAMES, { isRepository, everywhere, parent })
}

/** The level of a folder below another, of which these are the entries. */
export function childLevel(
  folder: string,
  entries: ReadonlySet<string>,
  parent: IgnoreLevel,
  isWithinGit: boolean,
): IgnoreLevel {
  const names = NAMES.filter((name) => entries.has(name.split('/')[0] ?? name))
  const isRepository = isWithinGit && (entries.has('.git') || entries.has('.jj'))
  if (names.length === 0 && !isRepository) return parent
  return ignoreLevel(folder, names, { isRepository, everywhere: parent.everywhere, parent })
}

/** Whether a path is to be skipped, kept although it is hidden, or not spoken of. */
export function judgeByLevels(level: IgnoreLevel, path: string, isFolder: boolean): 'skip' | 'keep' | undefined {
  for (const [kind] of NAMES.entries()) {
    for (let at: IgnoreLevel | undefined = level; at; at = at.parent) {
      const verdict = judgeByRules(at.files[kind] ?? [], path.slice(at.folder.length), isFolder)
      if (verdict) return verdict
      if (kind >= OF_GIT && at.isRepository) break
    }
  }
  const { folder, rules } = level.everywhere
  return judgeByRules(rules, path.slice(folder.length), isFolder)
}

function ignoreLevel(
  folder: string,
  names: readonly string[],
  rest: Pick<IgnoreLevel, 'isRepository' | 'everywhere'> & { readonly parent: IgnoreLevel | undefined },
): IgnoreLevel {
  const { parent, ...others } = rest
  const { passOver } = others.everywhere
  const files = NAMES.map((name) => (names.includes(name) ? ignoreRules(readText(join(folder, name), passOver)) : []))
  return { folder: withSlash(folder), files, ...others, ...(parent && { parent }) }
}

function withSlash(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`
}

function hasParent(folder: string, holds: (parent: string) => boolean): boolean {
  return dirname(folder) !== folder && holds(dirname(folder))
}

/** One line of a `.gitignore` or a file of its kind. */
interface IgnoreRule {
  readonly expression: GlobTest
  readonly isNegated: boolean
  readonly isForFolders: boolean
}

/** The rules in the text of an ignore file. Lines that are no glob are passed over, as git does. */
function ignoreRules(text: string): IgnoreRule[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => ignoreRule(line) ?? [])
}

function ignoreRule(line: string): IgnoreRule | undefined {
  let glob = line.replace(/(?<!\\) +$/, '')
  if (glob === '' || glob.startsWith('#')) return undefined
  const isNegated = glob.startsWith('!')
  if (isNegated) glob = glob.slice(1)
  const isForFolders = glob.endsWith('/')
  if (isForFolders) glob = glob.slice(0, -1)
  const isAnchored = glob.includes('/')
  if (glob.startsWith('/')) glob = glob.slice(1)
  if (glob === '') return undefined
  try {
    return { expression: globExpression(isAnchored ? glob : `**/${glob}`, { dots: true }), isNegated, isForFolders }
  } catch {
    return undefined
  }
}

/** What the rules say of a path that is relative to their folder: the last that matches counts. */
function judgeByRules(rules: readonly IgnoreRule[], path: string, isFolder: boolean): 'skip' | 'keep' | undefined {
  const rule = rules.findLast(({ expression, isForFolders }) => (isFolder || !isForFolders) && expression.test(path))
  return rule && (rule.isNegated ? 'keep' : 'skip')
}

/** The rules of git's `core.excludesFile`, looked up where ripgrep does. */
function globalExcludes(passOver: PassOver): IgnoreRule[] {
  const home = homedir()
  const configuration = process.env.XDG_CONFIG_HOME || join(home, '.config')
  const named = [join(home, '.gitconfig'), join(configuration, 'git', 'config')]
    .map((file) => /^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$/im.exec(readText(file, passOver))?.[1])
    .find((path) => path !== undefined)
  return ignoreRules(readText(named?.replace(/^~(?=\/)/, home) ?? join(configuration, 'git', 'ignore'), passOver))
}

const MOST_BYTES = 1_000_000

/** A small text file, or nothing where there is none, and where something else lies in its place. */
function readText(path: string, passOver: PassOver): string {
  let file: number
  try {
    // Without NONBLOCK the open of a pipe would wait for somebody to write into it.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch {
    return ''
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) {
      passOver(path, `it is a ${kindOf(stats)}, not a regular file`)
      return ''
    }
    const bytes = readUpTo(file, MOST_BYTES)
    if (!bytes) passOver(path, `it is larger than ${MOST_BYTES} bytes`)
    return bytes?.toString() ?? ''
  } catch {
    return ''
  } finally {
    closeSync(file)
  }
}

/** Nothing where there is more: the size that a file reports is not believed. */
function readUpTo(file: number, most: number): Buffer | undefined {
  const pieces: Buffer[] = []
  for (let size = 0; size <= most; ) {
    const piece = Buffer.allocUnsafe(65_536)
    const length = readSync(file, piece, 0, piece.length, size)
    if (length === 0) return Buffer.concat(pieces)
    pieces.push(piece.subarray(0, length))
    size += length
  }
  return undefined
}
