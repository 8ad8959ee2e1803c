import { homedir } from 'node:os'
import { posix, sep } from 'node:path'
import ignore from 'ignore'
import { costlyGlob, isCostlyGlob } from '../costly-glob.js'
import { isWithin, leadsTo } from '../paths.js'
import {
  citeRule,
  coversTool,
  type Judgement,
  type PermissionMode,
  type PermissionRule,
  type RuleVerdict,
} from './permission-rule.js'

/** What a call is judged by. */
export interface JudgeSetting {
  readonly mode: PermissionMode
  readonly rules: readonly PermissionRule[]
  /** Where relative paths of the call start. */
  readonly cwd: string
  /** Where relative patterns start. */
  readonly base: PatternBase
  /** Real folders in which work may be done. */
  readonly workspace: readonly string[]
  /** How commands are put into cages; none are unless told. */
  readonly caging?: Caging | undefined
  /** Hears of every file that a call was judged for. */
  note(access: PathAccess): void
}

/** How commands are put into cages. */
export interface Caging {
  /** A plan is being made: nothing is to be changed, whatever the mode is. */
  readonly isPlanning: boolean
  /** Commands that run outside when they are allowed, as the inner part of rules: `git push:*`. */
  readonly outside: readonly string[]
  /** Where commands run in the mode bypass. */
  readonly bypass: 'outside' | 'work'
}

/** A file that a call opens: by the name it was given, and where that leads. */
export interface PathAccess {
  readonly kind: 'read' | 'write'
  /** The tool whose rules speak of it. */
  readonly tool: string
  readonly given: string
  readonly real: string
}

/** A path as a call gives it, followed to where it leads now. */
export function pathAccess(kind: PathAccess['kind'], tool: string, given: string): PathAccess {
  return { kind, tool, given, real: leadsTo(given, given) }
}

/** What rules, places and the mode make of opening a file. */
export function judgePath(access: PathAccess, setting: JudgeSetting): Judgement {
  return judgeByRules(access, setting) ?? judgeByPlace(access, setting)
}

/** What is forbidden, or asked for, by name: either under the name that was given or where it leads. */
export function judgeByRules(access: PathAccess, setting: JudgeSetting): Judgement | undefined {
  for (const verdict of ['deny', 'ask'] as const) {
    if (verdict === 'ask' && setting.mode === 'bypass') continue
    const rule = ruleFor(access, verdict, setting)
    if (!rule) continue
    return { verdict, reason: `${citeRule(rule)} speaks of ${shownPath(access)}.`, rule }
  }
  return undefined
}

function ruleFor(access: PathAccess, verdict: RuleVerdict, { rules, base }: JudgeSetting): PermissionRule | undefined {
  // An allow rule has to speak of the place itself; a link to it elsewhere changes nothing.
  const paths = verdict === 'allow' ? [access.real] : [access.given, access.real]
  return rules.find(
    (rule) =>
      rule.verdict === verdict &&
      coversTool(rule.tool, access.tool) &&
      paths.some((path) => matchesPath(rule, path, base)),
  )
}

function judgeByPlace(access: PathAccess, setting: JudgeSetting): Judgement {
  const { kind, real } = access
  const { mode } = setting
  const shown = shownPath(access)
  if (mode === 'plan' && kind === 'write')
    return { verdict: 'deny', reason: `The mode is plan, which only reads: ${shown} can't be written to.` }
  if (mode === 'bypass') return { verdict: 'allow', reason: 'The mode is bypass.' }
  const rule = ruleFor(access, 'allow', setting)
  if (isSensitive(real, kind) || isSensitive(access.given, kind) || (kind === 'write' && holdsRules(real, setting))) {
    if (rule && namesIt(rule)) return { verdict: 'allow', reason: `${citeRule(rule)} names ${shown}.`, rule }
    const effect = kind === 'read' ? 'holds keys' : 'can make other programs run something, or changes these rules'
    return { verdict: 'ask', reason: `${shown} ${effect}.` }
  }
  if (rule) return { verdict: 'allow', reason: `${citeRule(rule)} speaks of ${shown}.`, rule }
  if (kind === 'read') return { verdict: 'allow', reason: 'Reading asks nobody unless a rule says so.' }
  if (!isInside(real, setting)) return { verdict: 'ask', reason: `${shown} is outside of the workspace.` }
  if (mode === 'accept-edits') return { verdict: 'allow', reason: 'The mode is accept-edits.' }
  return { verdict: 'ask', reason: `It would write to ${shown}.` }
}

function holdsRules(path: string, { rules }: JudgeSetting): boolean {
  return rules.some(({ origin }) => origin.file !== undefined && comparable(origin.file) === comparable(path))
}

/** The rule that forbids something below a folder, where all of it would be changed at once. */
export function judgeFolder({ kind, real }: PathAccess, { rules, base, mode }: JudgeSetting): Judgement | undefined {
  const rule = rules.find(
    (candidate) =>
      (candidate.verdict === 'deny' || (candidate.verdict === 'ask' && mode !== 'bypass')) &&
      coversTool(candidate.tool, kind === 'read' ? 'Read' : 'Edit') &&
      liesBelow(candidate, real, base),
  )
  return rule && { verdict: 'ask', reason: `${citeRule(rule)} speaks of files below ${real}.`, rule }
}

/** Only a rule that names the very file speaks of a sensitive one. */
function namesIt({ subject }: PermissionRule): boolean {
  return subject !== undefined && !/[*?[]/.test(subject)
}

function isInside(path: string, { workspace }: JudgeSetting): boolean {
  return workspace.some((root) => isWithin(comparable(root), comparable(path)))
}

function shownPath({ given, real }: PathAccess): string {
  return given === real ? given : `${given} (which leads to ${real})`
}

/** The base of relative patterns: as it was given, and where that leads. */
type PatternBase = readonly string[]

export function patternBase(cwd: string): PatternBase {
  return [...new Set([cwd, leadsTo(cwd, cwd)])]
}

/**
 * Whether a rule speaks of a path. Patterns are those of ignore files, relative to the base unless they begin with `/` or
 * `~/`. What forbids or asks is read broadly: a pattern without a slash at any depth, letters large or small. What allows
 * is read narrowly: from the base on, to the letter.
 */
function matchesPath(rule: PermissionRule, path: string, base: PatternBase): boolean {
  const { subject } = rule
  if (subject === undefined) return true
  const name = comparable(path).slice(1)
  if (name === '') return subject === '/' || subject === '/**'
  return base.some((folder) => matcherOf(rule, subject, folder)(name))
}

/** Whether a rule speaks of something in a folder, by the part of its pattern that has no signs in it. */
function liesBelow({ subject }: PermissionRule, folder: string, base: PatternBase): boolean {
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
  if (isCostlyGlob(subject)) return costlyMatcher(comparable(pattern), isNarrow)
  const filter = ignore({ ignorecase: !isNarrow }).add(comparable(pattern))
  return (path) => filter.ignores(path)
}

/** The same for a pattern with so many stars that its expression might never come to an end. */
function costlyMatcher(pattern: string, isNarrow: boolean): Matcher {
  const letters = (text: string) => (isNarrow ? text : text.toLowerCase())
  const glob = costlyGlob(letters(pattern.replace(/^\/|\/$/g, '')), { dots: true, hasBraces: false })
  const first = pattern.endsWith('/') ? 1 : 0
  return (path) => {
    // Who speaks of a folder speaks of all that is in it.
    const names = letters(path).split('/')
    return names.slice(first).some((_, above) => glob.test(names.slice(0, names.length - first - above).join('/')))
  }
}

function absolutePattern(subject: string, base: string, isNarrow: boolean): string {
  if (subject.startsWith('/')) return posix.normalize(subject)
  if (subject === '~' || subject.startsWith('~/')) return posix.normalize(`${literal(homedir())}${subject.slice(1)}`)
  const isName = !isNarrow && !subject.replace(/\/$/, '').includes('/')
  return posix.normalize(`${literal(base)}/${isName ? '**/' : ''}${subject}`)
}

/** The pattern of a rule as one for names of files, from the root on; for those that forbid or ask. */
export function broadPatterns({ subject }: PermissionRule, base: PatternBase): readonly string[] {
  if (subject === undefined) return []
  const folder = subject.replace(/\/\*\*\/?$/, '') || subject
  return base.map((root) => absolutePattern(folder, root, false))
}

/** A folder's own name, with nothing in it that a pattern would read as a sign. */
function literal(folder: string): string {
  return folder.replaceAll('\\', sep === '\\' ? '/' : '\\\\').replace(/[*?[\]!#]/g, '\\$&')
}

/** Where a change makes other programs run something, opens an account, or changes the rules themselves. */
const WRITING: readonly RegExp[] = [
  /\/\.git(\/|$)/,
  /\/(\.husky|\.githooks)\//,
  /\/\.(gitconfig|gitmodules|gitattributes)$/,
  /\/\.config\/(git|fish|autostart|systemd)\//,
  /\/\.(bash|zsh|k?sh|csh|tcsh)(rc|_profile|_login|_logout|_aliases|env|profile|login|logout)$/,
  /\/\.z(shrc|shenv|profile|login|logout)$/,
  /\/\.(profile|inputrc|envrc|npmrc|yarnrc|yarnrc\.yml|netrc|pypirc|vimrc|exrc|curlrc|wgetrc|tmux\.conf|xinitrc|xprofile)$/,
  /\/\.(ssh|gnupg|aws|kube|docker)\//,
  /\/\.(ssh|gnupg|aws|kube|docker|husky)$/,
  /\/\.mcp\.json$/,
  /\/\.?nacre\/settings[^/]*\.json$/,
  /\/\.nacre$/,
  /\/(crontab|cron\.d)(\/|$)/,
]

/** What holds keys. */
const READING: readonly RegExp[] = [
  /\/\.(ssh|gnupg)\/(?!known_hosts|config$|.*\.pub$)/,
  /\/\.aws\/credentials$/,
  /\/\.(netrc|pypirc|git-credentials|pgpass)$/,
  /\/\.(docker\/config\.json|kube\/config)$/,
  /^\/etc\/(shadow|gshadow|sudoers)/,
  /^\/proc\/([^/]+\/)+(environ|mem)$/,
]

/** Whether a file is one that nobody should touch without a question. */
function isSensitive(path: string, kind: 'read' | 'write'): boolean {
  const name = comparable(path).toLowerCase()
  return (kind === 'write' ? WRITING : READING).some((place) => place.test(name))
}
