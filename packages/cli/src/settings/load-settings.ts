import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NacreError } from '@nacre/core'
import { readSmallFile } from '@nacre/core/node'
import type { z } from 'zod'
import type { Terminal } from '../terminal/terminal.js'
import type { LoadedSettings, ReadSettings, Settings, SettingsFile } from './settings.js'
import type { settingsSchema } from './settings-schema.js'

/** Reads the settings of the person, the project and the person in the project. What is broken throws. */
export async function loadSettings({
  cwd,
  home,
  env,
}: Pick<Terminal, 'cwd' | 'home' | 'env'>): Promise<LoadedSettings> {
  const root = findProjectRoot(cwd, home)
  const files = await Promise.all(settingsFiles(root, home).map(readSettingsFile))
  return { root, files: files.filter((file) => file !== undefined), environment: environmentSettings(env) }
}

/**
 * The nearest folder, from one upwards, that has `.nacre` or `.git` in it; the folder itself where none has. The
 * person's home is a project only with `.git`: what is in its `.nacre` are the settings for everywhere.
 */
export function findProjectRoot(folder: string, home: string): string {
  const start = realPath(folder)
  const own = realPath(home)
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || (at !== own && existsSync(join(at, '.nacre')))) return at
    if (dirname(at) === at) return start
  }
}

/** Links followed; what is not there stays as it was named. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
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

/** The settings in a file, checked; `undefined` where there is no file. Every mistake in it is named at once. */
export async function readSettingsFile(file: SettingsFile): Promise<ReadSettings | undefined> {
  const bytes = await readSmallFile(file.path).catch((error: Error) => {
    throw invalid(file, [`It can not be read (${error.message}). Mend it or its permissions, or move it away.`], error)
  })
  if (bytes === undefined) return undefined
  const value = parse(file, bytes.toString())
  // Only whoever has settings waits for what checks them.
  const { describeIssue, settingsSchema } = await import('./settings-schema.js')
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

const MODES = { 'accept-edits': 'acceptEdits', bypass: 'bypassPermissions' } as const

/** What a file says, with one spelling for what may be spelt in two ways. */
function oneSpelling({ $schema: _, permissions, ...rest }: z.output<typeof settingsSchema>): Settings {
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

/** What variables say in place of settings. They stand above all files and below the command line. */
function environmentSettings(env: Terminal['env']): Settings {
  const model = env.NACRE_MODEL?.trim()
  const window = env.NACRE_CONTEXT_WINDOW?.trim()
  const percent = env.NACRE_AUTOCOMPACT_PCT?.trim()
  if (percent && !(/^\d+(\.\d+)?$/.test(percent) && Number(percent) >= 1 && Number(percent) <= 100)) {
    throw invalidVariable('NACRE_AUTOCOMPACT_PCT', percent, 'a number from 1 to 100, such as 80')
  }
  if (window && !(/^\d+$/.test(window) && Number(window) > 0)) {
    throw invalidVariable('NACRE_CONTEXT_WINDOW', window, 'a whole number of tokens, such as 200000')
  }
  return { ...(model && { model }), ...(window && { contextWindow: Number(window) }) }
}

function invalidVariable(name: string, value: string, expected: string): NacreError {
  return new NacreError('INVALID_SETTINGS', `The variable ${name} is '${value}'; it has to be ${expected}.`)
}
