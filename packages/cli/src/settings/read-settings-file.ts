import { readFile } from 'node:fs/promises'
import { NacreError } from '@nacre/core'
import { oneSpelling } from './one-spelling.js'
import type { Settings } from './settings.js'
import type { ReadSettings, SettingsFile } from './settings-file.js'

/** The settings in a file, checked; `undefined` where there is no file. Every mistake in it is named at once. */
export async function readSettingsFile(file: SettingsFile): Promise<ReadSettings | undefined> {
  const text = await readFile(file.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw invalid(file, [`It can not be read (${error.code}). Mend its permissions, or move it away.`], error)
  })
  if (text === undefined) return undefined
  const value = parse(file, text)
  // Only whoever has settings waits for what checks them.
  const [{ settingsSchema }, { describeIssue }] = await Promise.all([
    import('./settings-schema.js'),
    import('./describe-issue.js'),
  ])
  const { success, data, error } = settingsSchema.safeParse(value)
  if (!success) {
    throw invalid(
      file,
      error.issues.map((issue) => describeIssue(issue, value)),
    )
  }
  const settings = oneSpelling(data)
  const misplaced = misplacedIn(file, settings)
  if (misplaced) throw invalid(file, [misplaced])
  return { ...file, settings }
}

function parse(file: SettingsFile, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw invalid(file, [`It is no JSON: ${(error as Error).message}. Mend it, or move it away.`], error)
  }
}

/** What comes with a project must not switch the questions off, or name servers past the file that is asked about. */
function misplacedIn({ level }: SettingsFile, settings: Settings): string | undefined {
  if (level === 'project' && settings.permissions?.mode === 'bypassPermissions') {
    return 'permissions.mode is "bypassPermissions", which a project can not set. Use --permission-mode, or your own settings.'
  }
  if (level === 'user') return undefined
  const key = (['mcpServers', 'approvedMcpServers'] as const).find((each) => settings[each] !== undefined)
  if (key === 'mcpServers') return 'mcpServers belongs into .mcp.json here, or into ~/.nacre/settings.json.'
  return key && `${key} belongs into ~/.nacre/settings.json: a project can not approve its own servers.`
}

function invalid({ path }: SettingsFile, reasons: readonly string[], cause?: unknown): NacreError {
  const lines = reasons.flatMap((reason) => reason.split('\n'))
  const text =
    lines.length === 1 ? `${path}: ${lines[0]}` : [`${path}:`, ...lines.map((line) => `  ${line}`)].join('\n')
  return new NacreError('INVALID_SETTINGS', text, { cause })
}
