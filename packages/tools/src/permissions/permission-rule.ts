/** Strictest first: of two rules that speak of the same call, the one with the stricter verdict wins at whatever level. */
export const RULE_VERDICTS = ['deny', 'ask', 'allow'] as const

export type RuleVerdict = (typeof RULE_VERDICTS)[number]

export type RuleLevel = 'managed' | 'user' | 'project' | 'local' | 'option' | 'session'

/** Where a rule came from; `file` where it was read from one. */
export interface RuleOrigin {
  readonly level: RuleLevel
  readonly file?: string
}

/** One rule: a verdict on the calls of a tool, all of them or those that `subject` describes. */
export interface PermissionRule {
  readonly verdict: RuleVerdict
  /** As it was written: `Bash(git diff:*)`. */
  readonly text: string
  readonly tool: string
  readonly subject?: string
  readonly origin: RuleOrigin
}

/** A rule for people: what it says and where it stands. */
export function describeRule({ verdict, text, origin }: PermissionRule): string {
  return `${verdict} ${text} (${describeOrigin(origin)})`
}

export function describeOrigin({ level, file }: RuleOrigin): string {
  return file === undefined ? PLACES[level] : `${level} settings, ${file}`
}

const PLACES: Record<RuleLevel, string> = {
  managed: 'managed settings',
  user: 'user settings',
  project: 'project settings',
  local: 'local settings',
  option: 'given by the program',
  session: 'added in this session',
}
