import { join } from 'node:path'
import { realPath } from './real-path.js'
import type { Settings } from './settings.js'

type SettingsLevel = 'user' | 'project' | 'local'

export interface SettingsFile {
  readonly level: SettingsLevel
  readonly path: string
}

/** A file that is there, with what it says. */
export interface ReadSettings extends SettingsFile {
  readonly settings: Settings
}

/** The files that may hold settings, the general before the particular. */
export function settingsFiles(root: string, home: string): readonly SettingsFile[] {
  const user = join(home, '.nacre', 'settings.json')
  const project = join(root, '.nacre', 'settings.json')
  return [
    { level: 'user', path: user },
    // Where the home folder itself is a project, its file is the person's, whatever link leads to it.
    ...(root === realPath(home) ? [] : [{ level: 'project' as const, path: project }]),
    { level: 'local', path: join(root, '.nacre', 'settings.local.json') },
  ]
}
