import type { PermissionMode, Permissions, SettingsLevel } from '@nacre/tools'
import type { LoadedSettings } from '../settings/load-settings.js'
import type { Settings } from '../settings/settings.js'

type Mode = NonNullable<NonNullable<Settings['permissions']>['mode']>

const MODES: Readonly<Record<Mode, PermissionMode>> = {
  default: 'default',
  acceptEdits: 'accept-edits',
  plan: 'plan',
  bypassPermissions: 'bypass',
}

export interface PermissionPlace {
  readonly loaded: LoadedSettings
  readonly home: string
  readonly isTrusted: boolean
  /** Of the command line: above all files. */
  readonly overrides: Settings
}

/**
 * The rules and the mode of a session. Of a folder that nobody trusts only what forbids and what asks counts: it can
 * make a session stricter, not looser.
 */
export async function sessionPermissions(place: PermissionPlace): Promise<Permissions> {
  const { createPermissions, readPermissionSettings } = await import('@nacre/tools')
  const { loaded, home, isTrusted, overrides } = place
  const hasProject = loaded.files.some(({ level }) => level === 'project')
  const levels: SettingsLevel[] = ['managed', 'user', ...(hasProject ? (['project'] as const) : []), 'local']
  const read = (which: readonly SettingsLevel[]) => readPermissionSettings({ cwd: loaded.root, home, levels: which })
  const all = await read(levels)
  const own = isTrusted ? all : await read(['managed', 'user'])
  const isStrict = ({ verdict, origin }: (typeof all.rules)[number]) =>
    verdict !== 'allow' || origin.level === 'managed' || origin.level === 'user'
  const { mode, workspace, allow = [], deny = [], ask = [] } = overrides.permissions ?? {}
  return createPermissions({
    settings: isTrusted ? all : { ...own, rules: all.rules.filter(isStrict) },
    rules: { allow, deny, ask },
    ...(mode && { mode: MODES[mode] }),
    ...(workspace && { workspace }),
  })
}
