import { relative, sep } from 'node:path'
import type { JudgeSetting } from './judge-setting.js'
import type { Judgement } from './judgement.js'
import { leadsTo } from './leads-to.js'
import type { PathAccess } from './path-access.js'
import { comparable, liesBelow, matchesPath } from './path-pattern.js'
import { describeOrigin, type PermissionRule, type RuleVerdict } from './permission-rule.js'
import { isSensitive } from './sensitive-places.js'
import { coversTool } from './tool-families.js'

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
    return { verdict, reason: `${ruleWords(rule)} speaks of ${shownPath(access)}.`, rule }
  }
  return undefined
}

export function ruleWords(rule: PermissionRule): string {
  return `The ${rule.verdict} rule ${rule.text} (${describeOrigin(rule.origin)})`
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
    if (rule && namesIt(rule)) return { verdict: 'allow', reason: `${ruleWords(rule)} names ${shown}.`, rule }
    const effect = kind === 'read' ? 'holds keys' : 'can make other programs run something, or changes these rules'
    return { verdict: 'ask', reason: `${shown} ${effect}.` }
  }
  if (rule) return { verdict: 'allow', reason: `${ruleWords(rule)} speaks of ${shown}.`, rule }
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
  return rule && { verdict: 'ask', reason: `${ruleWords(rule)} speaks of files below ${real}.`, rule }
}

/** Only a rule that names the very file speaks of a sensitive one. */
function namesIt({ subject }: PermissionRule): boolean {
  return subject !== undefined && !/[*?[]/.test(subject)
}

function isInside(path: string, { workspace }: JudgeSetting): boolean {
  return workspace.some((root) => {
    const way = relative(comparable(root), comparable(path))
    return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && way !== path)
  })
}

function shownPath({ given, real }: PathAccess): string {
  return given === real ? given : `${given} (which leads to ${real})`
}
