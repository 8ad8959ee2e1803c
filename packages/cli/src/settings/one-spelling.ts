import type { z } from 'zod'
import type { Settings } from './settings.js'
import type { settingsSchema } from './settings-schema.js'

const MODES = { 'accept-edits': 'acceptEdits', bypass: 'bypassPermissions' } as const

/** What a file says, with one spelling for what may be spelt in two ways. */
export function oneSpelling({ $schema: _, permissions, ...rest }: z.output<typeof settingsSchema>): Settings {
  if (!permissions) return rest as Settings
  const { mode, workspace = [], additionalDirectories = [], ...rules } = permissions
  const folders = [...workspace, ...additionalDirectories]
  return {
    ...rest,
    permissions: {
      ...rules,
      ...(mode && { mode: MODES[mode as keyof typeof MODES] ?? mode }),
      ...(folders.length > 0 && { workspace: folders }),
    },
  } as Settings
}
