import { broadRule, commandRules, plainRule, wholeRule } from './command-rules.js'
import { commandFiles, judgeForbiddenFiles, judgeOpenedFiles } from './judge-command-files.js'
import { ruleWords } from './judge-path.js'
import type { JudgeSetting } from './judge-setting.js'
import { type Judgement, strictest } from './judgement.js'
import type { PermissionRule } from './permission-rule.js'
import type { CommandPart, ParsedCommand } from './shell/command-part.js'
import { writesOf } from './shell/file-accesses.js'
import { harmlessReads } from './shell/harmless-reads.js'
import { isEdit } from './shell/is-edit.js'
import { isReadOnly } from './shell/is-read-only-command.js'
import { parseCommand } from './shell/parse-command.js'

/** What rules and the mode make of a command line: each simple command in it, and each file that it plainly opens. */
export function judgeCommand(command: string, setting: JudgeSetting): Judgement {
  const parsed = parseCommand(command, setting.cwd)
  const forbidden = [...judgeByRules(parsed, setting), ...judgeForbiddenFiles(parsed, setting)]
  const worst = strictest(forbidden)
  if (worst?.verdict === 'deny') return worst
  if (setting.mode === 'bypass') return worst ?? { verdict: 'allow', reason: 'The mode is bypass.' }
  if (setting.mode === 'plan' && !isReadOnly(parsed)) return refusedInPlan(parsed)
  if (worst) return worst
  const rule = wholeRule(commandRules(setting.rules, 'allow'), parsed)
  if (rule) return { verdict: 'allow', reason: `${ruleWords(rule)} is this command.`, rule }
  return judgeParts(parsed, setting)
}

/** Rules that forbid and ask, under every name that a command may have. */
function judgeByRules(parsed: ParsedCommand, { rules, mode }: JudgeSetting): Judgement[] {
  const found: Judgement[] = []
  for (const verdict of ['deny', 'ask'] as const) {
    if (verdict === 'ask' && mode === 'bypass') continue
    const every = bareRule(rules, verdict)
    if (every) found.push({ verdict, reason: `${ruleWords(every)} speaks of every command.`, rule: every })
    const match = broadRule(commandRules(rules, verdict), parsed)
    if (match?.isSure)
      found.push({ verdict, reason: `${ruleWords(match.rule)} speaks of ${shown(parsed.command)}.`, rule: match.rule })
    else if (match)
      found.push({
        verdict: 'ask',
        reason: `${ruleWords(match.rule)} may speak of ${shown(parsed.command)}: what it runs is not known before it runs.`,
        rule: match.rule,
      })
  }
  return found
}

function bareRule(rules: readonly PermissionRule[], verdict: PermissionRule['verdict']): PermissionRule | undefined {
  return rules.find((rule) => rule.tool === 'Bash' && rule.verdict === verdict && rule.subject === undefined)
}

function refusedInPlan({ command, unclear }: ParsedCommand): Judgement {
  const why = unclear[0] === undefined ? '' : ` (${unclear[0]})`
  return { verdict: 'deny', reason: `The mode is plan: ${shown(command)} is not plainly read-only${why}.` }
}

function judgeParts(parsed: ParsedCommand, setting: JudgeSetting): Judgement {
  const every = bareRule(setting.rules, 'allow')
  if (parsed.unclear.length > 0 && !every)
    return { verdict: 'ask', reason: `${shown(parsed.command)} can't be judged by its parts: ${parsed.unclear[0]}.` }
  const allowed = commandRules(setting.rules, 'allow')
  const covered = new Map<CommandPart, PermissionRule>()
  const isOnlyWriter = parsed.parts.filter((part) => writesOf(part).length > 0).length < 2
  const findings: Judgement[] = []
  for (const part of parsed.parts) {
    const byRule = every ?? (part.parent && covered.get(part.parent))
    const { rule = byRule, beyond } = byRule ? {} : plainRule(allowed, part)
    const isExact = rule !== undefined && !rule.subject?.includes('*')
    if (rule && (isExact || every)) covered.set(part, rule)
    findings.push(...judgePart(part, { rule, beyond, isOnlyWriter }, setting))
  }
  return strictest(findings) ?? { verdict: 'allow', reason: `${shown(parsed.command)} runs nothing.` }
}

interface Allowed {
  readonly rule: PermissionRule | undefined
  readonly beyond: string | undefined
  readonly isOnlyWriter: boolean
}

function judgePart(part: CommandPart, { rule, beyond, isOnlyWriter }: Allowed, setting: JudgeSetting): Judgement[] {
  const reads = harmlessReads(part)
  const files = commandFiles(part, reads ?? [])
  const byFiles = judgeOpenedFiles(
    part,
    files,
    { isAllowed: rule !== undefined, isBare: rule?.subject === undefined },
    setting,
  )
  if (rule)
    return [{ verdict: 'allow', reason: `${ruleWords(rule)} speaks of ${shown(part.source)}.`, rule }, ...byFiles]
  if (reads) return [{ verdict: 'allow', reason: `${shown(part.source)} only reads.` }, ...byFiles]
  if (
    setting.mode === 'accept-edits' &&
    isEdit(part, isOnlyWriter) &&
    byFiles.every(({ verdict }) => verdict === 'allow')
  )
    return [{ verdict: 'allow', reason: 'The mode is accept-edits.' }, ...byFiles]
  const why = beyond ? `: '${beyond}' goes beyond the rule for it` : ''
  return [...byFiles, { verdict: 'ask', reason: `No rule allows ${shown(part.source)}${why}.` }]
}

const MOST_SHOWN = 200

function shown(command: string): string {
  const text = command.trim()
  return `\`${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}\``
}
