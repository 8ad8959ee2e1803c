import { environmentSettings } from './environment-settings.js'
import { findProjectRoot } from './find-project-root.js'
import { readSettingsFile } from './read-settings-file.js'
import type { Settings } from './settings.js'
import { type ReadSettings, settingsFiles } from './settings-file.js'

/** All that was said by files and variables, before it is known whether the folder is trusted. */
export interface LoadedSettings {
  /** The folder that the project begins with. */
  readonly root: string
  /** Those that are there, the general before the particular. */
  readonly files: readonly ReadSettings[]
  readonly environment: Settings
}

export interface SettingsPlace {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Reads the settings of the person, the project and the person in the project. What is broken throws. */
export async function loadSettings({ cwd, home, env }: SettingsPlace): Promise<LoadedSettings> {
  const root = findProjectRoot(cwd, home)
  const files = await Promise.all(settingsFiles(root, home).map(readSettingsFile))
  return { root, files: files.filter((file) => file !== undefined), environment: environmentSettings(env) }
}
