import { homedir } from 'node:os'
import { posix, sep } from 'node:path'
import ignore from 'ignore'
import { leadsTo } from './leads-to.js'
import type { PermissionRule } from './permission-rule.js'

/** The base of relative patterns: as it was given, and where that leads. */
export type PatternBase = readonly string[]

export function patternBase(cwd: string): PatternBase {
  return [...new Set([cwd, leadsTo(cwd, cwd)])]
}

/**
 * Whether a rule speaks of a path. Patterns are those of ignore files, relative to the base unless they begin with `/` or
 * `~/`. What forbids or asks is read broadly: a pattern without a slash at any depth, letters large or small. What allows
 * is read narrowly: from the base on, to the letter.
 */
export function matchesPath(rule: PermissionRule, path: string, base: PatternBase): boolean {
  const { subject } = rule
  if (subject === undefined) return true
  const name = comparable(path).slice(1)
  if (name === '') return subject === '/' || subject === '/**'
  return base.some((folder) => matcherOf(rule, subject, folder)(name))
}

/** Whether a rule speaks of something in a folder, by the part of its pattern that has no signs in it. */
export function liesBelow({ subject }: PermissionRule, folder: string, base: PatternBase): boolean {
  if (!subject?.includes('/')) return false
  const plain = subject.split('/').slice(0, firstWild(subject)).join('/')
  const start = comparable(folder).replace(/\/?$/, '/').toLowerCase()
  return base.some((root) =>
    comparable(absolutePattern(plain, root, true))
      .toLowerCase()
      .startsWith(start),
  )
}

function firstWild(subject: string): number | undefined {
  const at = subject.split('/').findIndex((segment) => /[*?[]/.test(segment))
  return at === -1 ? undefined : at
}

/** A path as it is compared: with slashes, composed letters, and without marks that some file systems leave out. */
export function comparable(path: string): string {
  const slashed = sep === '\\' ? `/${path.replaceAll('\\', '/')}` : path
  return slashed.normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

type Matcher = (path: string) => boolean

const matchers = new WeakMap<PermissionRule, Map<string, Matcher>>()

function matcherOf(rule: PermissionRule, subject: string, base: string): Matcher {
  const known = matchers.get(rule) ?? new Map<string, Matcher>()
  matchers.set(rule, known)
  const matcher = known.get(base) ?? compile(rule, subject, base)
  known.set(base, matcher)
  return matcher
}

function compile({ verdict }: PermissionRule, subject: string, base: string): Matcher {
  const isNarrow = verdict === 'allow'
  // Whoever forbids what is in a folder forbids what is done to all of it at once.
  const pattern = absolutePattern(isNarrow ? subject : subject.replace(/\/\*\*\/?$/, '') || subject, base, isNarrow)
  const filter = ignore({ ignorecase: !isNarrow }).add(comparable(pattern))
  return (path) => filter.ignores(path)
}

function absolutePattern(subject: string, base: string, isNarrow: boolean): string {
  if (subject.startsWith('/')) return posix.normalize(subject)
  if (subject === '~' || subject.startsWith('~/')) return posix.normalize(`${literal(homedir())}${subject.slice(1)}`)
  const isName = !isNarrow && !subject.replace(/\/$/, '').includes('/')
  return posix.normalize(`${literal(base)}/${isName ? '**/' : ''}${subject}`)
}

/** A folder's own name, with nothing in it that a pattern would read as a sign. */
function literal(folder: string): string {
  return folder.replaceAll('\\', sep === '\\' ? '/' : '\\\\').replace(/[*?[\]!#]/g, '\\$&')
}
