import type { Json, StateEntry, View } from '@nacre/core'
import { parseRule } from './parse-rule.js'
import { isPermissionMode, type PermissionMode } from './permission-mode.js'
import type { PermissionRule, RuleVerdict } from './permission-rule.js'

/** The plugin's name, and the owner of its state. */
export const OWNER = 'permissions'

type Viewed = Pick<View, 'state'>

export function permissionState(key: 'mode' | 'rules', value: Json): StateEntry {
  return { kind: 'state', id: '', time: 0, owner: OWNER, key, value }
}

/** The mode that was set in a conversation: a resume brings it back, a rewind takes it back. */
export function modeIn(view: Viewed): PermissionMode | undefined {
  const mode = view.state(OWNER, 'mode')
  return isPermissionMode(mode) ? mode : undefined
}

/** The rules that were added in a conversation, without those that are known already. */
export function rulesIn(view: Viewed, known: readonly PermissionRule[]): PermissionRule[] {
  const kept = (view.state(OWNER, 'rules') ?? []) as unknown as readonly KeptRule[]
  return parsedRules(kept).filter(
    (rule) => !known.some(({ text, verdict }) => text === rule.text && verdict === rule.verdict),
  )
}

interface KeptRule {
  readonly verdict: RuleVerdict
  readonly text: string
}

const parsed = new WeakMap<readonly KeptRule[], readonly PermissionRule[]>()

function parsedRules(kept: readonly KeptRule[]): readonly PermissionRule[] {
  const rules = parsed.get(kept) ?? kept.map(({ verdict, text }) => parseRule(text, verdict, { level: 'session' }))
  parsed.set(kept, rules)
  return rules
}
