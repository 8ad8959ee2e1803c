/** What happens to a call that no rule speaks of: see the table in the documentation. */
export type PermissionMode = 'default' | 'accept-edits' | 'plan' | 'bypass'

export const PERMISSION_MODES: readonly PermissionMode[] = ['default', 'accept-edits', 'plan', 'bypass']

/** How the command line spells some of them. */
export const MODE_SPELLINGS: Readonly<Record<string, PermissionMode>> = {
  acceptEdits: 'accept-edits',
  bypassPermissions: 'bypass',
}

/** Whether a word from outside names a mode. */
export function isPermissionMode(value: unknown): value is PermissionMode {
  return PERMISSION_MODES.includes(value as PermissionMode)
}
