import type { PermissionRule, RuleVerdict } from './permission-rule.js'
import type { CommandPart, ParsedCommand } from './shell/command-part.js'
import { setsNothing } from './shell/harmless-reads.js'
import {
  broadlyMatches,
  type CommandPattern,
  commandPattern,
  fits,
  isWhole,
  plainlyMatches,
  standsIn,
} from './shell/match-command.js'
import { unnamedPower } from './shell/powers.js'

/** A rule for Bash that speaks of some commands only. */
interface CommandRule {
  readonly rule: PermissionRule
  readonly pattern: CommandPattern
}

const patterns = new WeakMap<PermissionRule, CommandPattern>()

/** The rules for single commands with a verdict. */
export function commandRules(rules: readonly PermissionRule[], verdict: RuleVerdict): CommandRule[] {
  return rules.flatMap((rule) => {
    if (rule.tool !== 'Bash' || rule.verdict !== verdict || rule.subject === undefined) return []
    const pattern = patterns.get(rule) ?? commandPattern(rule.subject)
    patterns.set(rule, pattern)
    return [{ rule, pattern }]
  })
}

/** The first rule that speaks, or may speak, of any part of a command: for rules that forbid or ask. */
export function broadRule(
  rules: readonly CommandRule[],
  parsed: ParsedCommand,
): { readonly rule: PermissionRule; readonly isSure: boolean } | undefined {
  const { parts, unclear, command, isHiding } = parsed
  let vague = isHiding ? rules[0]?.rule : undefined
  for (const { rule, pattern } of rules) {
    if (pattern.text === command.trim() || (pattern.kind === 'wild' && fits(pattern.text, command.trim())))
      return { rule, isSure: true }
    if (unclear.length > 0 && standsIn(pattern, command)) return { rule, isSure: true }
    for (const part of parts) {
      const match = broadlyMatches(pattern, part)
      if (match === 'yes') return { rule, isSure: true }
      if (match === 'maybe') vague ??= rule
    }
  }
  return vague && { rule: vague, isSure: false }
}

/** The rule that allows a whole command line, to the letter. */
export function wholeRule(rules: readonly CommandRule[], parsed: ParsedCommand): PermissionRule | undefined {
  return rules.find(({ pattern }) => isWhole(pattern, parsed))?.rule
}

/** The rule that plainly allows a part, with all that its words make it do; or the word that goes beyond the rule. */
export function plainRule(
  rules: readonly CommandRule[],
  part: CommandPart,
): { readonly rule?: PermissionRule; readonly beyond?: string } {
  let beyond: string | undefined
  if (!setsNothing(part)) return { beyond: part.assignments.map(({ name }) => `${name}=`).join(' ') }
  for (const { rule, pattern } of rules) {
    if (!plainlyMatches(pattern, part)) continue
    const power = pattern.kind === 'exact' ? undefined : unnamedPower(part, pattern.words)
    if (power === undefined) return { rule }
    beyond ??= power
  }
  return beyond === undefined ? {} : { beyond }
}
