import type { HookKind, HookMap, HookName } from '../../contract/hooks.js'

/** The kinds at run time, where settings name hooks by text. Partial for the compiler: plugins merge names of their own in. */
export const hookKinds: Readonly<Record<string, HookKind>> = {
  SessionStart: 'collect',
  PreparePrompt: 'transform',
  UserPromptSubmit: 'decide',
  PreCompact: 'collect',
  PostCompact: 'collect',
  CompactFailed: 'collect',
  PreModelCall: 'transform',
  PostModelCall: 'collect',
  PrepareToolUse: 'transform',
  PreToolUse: 'decide',
  PermissionRequest: 'decide',
  PostToolUse: 'transform',
  PostToolUseFailure: 'transform',
  ViewChanged: 'collect',
  SubagentStart: 'collect',
  SubagentStop: 'decide',
  Stop: 'decide',
  Notification: 'collect',
  SessionEnd: 'collect',
} satisfies { readonly [Name in HookName]?: HookMap[Name]['kind'] }

/** The verdicts of each gate, strictest first: exit code 2 is the first. */
export const gateVerdicts: Readonly<Record<string, readonly string[]>> = {
  UserPromptSubmit: ['block'],
  PreToolUse: ['deny', 'ask', 'allow'],
  PermissionRequest: ['deny', 'allow'],
  SubagentStop: ['continue'],
  Stop: ['continue'],
}

/** The hooks that are about one tool: they have a matcher, and they are heard in forks and sub-agents too. */
export const toolHooks: ReadonlySet<string> = new Set([
  'PrepareToolUse',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
])
