import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { globalExcludes, readText } from './global-excludes.js'
import { type IgnoreRule, ignoreRules, judgeByRules } from './ignore-rule.js'

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
}

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

/** The levels of a folder and of all above it. */
export function ignoreLevels(
  folder: string,
  isWithinGit: boolean,
  everywhere: GlobalRules = { folder: withSlash(folder), rules: globalExcludes() },
): IgnoreLevel {
  const parent = dirname(folder) === folder ? undefined : ignoreLevels(dirname(folder), isWithinGit, everywhere)
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
  const files = NAMES.map((name) => (names.includes(name) ? ignoreRules(readText(join(folder, name))) : []))
  return { folder: withSlash(folder), files, ...others, ...(parent && { parent }) }
}

function withSlash(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`
}

function hasParent(folder: string, holds: (parent: string) => boolean): boolean {
  return dirname(folder) !== folder && holds(dirname(folder))
}
