import type { PermissionRule, RuleVerdict } from './permission-rule.js'

/** What the rules and the mode make of a call. `pass`: they have nothing to say, and the tool's own check decides. */
export interface Judgement {
  readonly verdict: RuleVerdict | 'pass'
  /** Names the rule and where it came from, or the mode. */
  readonly reason: string
  readonly rule?: PermissionRule
}

const STRICTNESS = ['deny', 'ask', 'allow', 'pass'] as const

/** Of all that was found, the strictest; of two alike the first. */
export function strictest(findings: readonly Judgement[]): Judgement | undefined {
  let worst: Judgement | undefined
  for (const finding of findings) {
    if (!worst || STRICTNESS.indexOf(finding.verdict) < STRICTNESS.indexOf(worst.verdict)) worst = finding
  }
  return worst
}
