import type { PathAccess } from './path-access.js'
import type { PatternBase } from './path-pattern.js'
import type { PermissionMode } from './permission-mode.js'
import type { PermissionRule } from './permission-rule.js'

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
  /** Hears of every file that a call was judged for. */
  note(access: PathAccess): void
}
