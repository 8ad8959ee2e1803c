import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { NacreError } from '@nacre/core'
import { readSettings } from '@nacre/core/node'
import {
  isPermissionMode,
  MODE_SPELLINGS,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionRule,
  parseRule,
  RULE_VERDICTS,
  type RuleLevel,
} from './permission-rule.js'

/** What settings files say about permissions, taken together. */
export interface PermissionSettings {
  readonly rules: readonly PermissionRule[]
  /** Of the last file that names one, unless the managed settings do. */
  readonly mode?: PermissionMode
  readonly workspace: readonly string[]
}

export type SettingsLevel = Extract<RuleLevel, 'managed' | 'user' | 'project' | 'local'>

export interface SettingsPlace {
  readonly cwd: string
  readonly home?: string
  /** The folder of the settings that whoever looks after the machine has made. */
  readonly managed?: string
  /** Which to read; all four unless told. Leave `project` and `local` out for a folder that nobody trusts. */
  readonly levels?: readonly SettingsLevel[]
}

/** Reads the settings of the machine, the person, the project and the person in the project. What is broken throws. */
export async function readPermissionSettings(place: SettingsPlace): Promise<PermissionSettings> {
  const { levels = ['managed', 'user', 'project', 'local'] } = place
  const read = await Promise.all(levels.map((level) => readLevel(level, settingsFile(level, place))))
  const managed = read.find(({ level }) => level === 'managed')
  const mode = managed?.mode ?? read.findLast((settings) => settings.mode !== undefined)?.mode
  return {
    rules: read.flatMap(({ rules }) => rules),
    workspace: read.flatMap(({ workspace }) => workspace),
    ...(mode && { mode }),
  }
}

/** Where the settings of a level stand. */
function settingsFile(
  level: SettingsLevel,
  { cwd, home = homedir(), managed = managedFolder() }: SettingsPlace,
): string {
  const places: Record<SettingsLevel, string> = {
    managed: join(managed, 'settings.json'),
    user: join(home, '.nacre', 'settings.json'),
    project: join(cwd, '.nacre', 'settings.json'),
    local: join(cwd, '.nacre', 'settings.local.json'),
  }
  return resolve(places[level])
}

function managedFolder(): string {
  if (process.platform === 'darwin') return '/Library/Application Support/Nacre'
  return process.platform === 'win32' ? join(process.env.PROGRAMDATA ?? 'C:\\ProgramData', 'Nacre') : '/etc/nacre'
}

interface LevelSettings extends PermissionSettings {
  readonly level: SettingsLevel
}

async function readLevel(level: SettingsLevel, file: string): Promise<LevelSettings> {
  const { permissions = {} } = (await readSettings(file)) as { readonly permissions?: unknown }
  if (!isRecord(permissions)) throw broken(file, 'permissions', 'an object, such as {"allow":["Bash(npm run test)"]}')
  const unknown = Object.keys(permissions).find((key) => !KEYS.has(key))
  if (unknown !== undefined) throw broken(file, `permissions.${unknown}`, `one of ${[...KEYS].join(', ')}`)
  const rules = RULE_VERDICTS.flatMap((verdict) =>
    listAt(permissions, verdict, file).map((text) => parseRule(text, verdict, { level, file })),
  )
  const mode = modeAt(permissions, level, file)
  return { level, rules, workspace: foldersAt(permissions, level, file), ...(mode && { mode }) }
}

const KEYS = new Set<string>([...RULE_VERDICTS, 'mode', 'additionalDirectories', 'workspace'])

type Fields = Readonly<Record<string, unknown>>

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function broken(file: string, key: string, expected: string): NacreError {
  return new NacreError('INVALID_SETTINGS', `${key} in ${file} has to be ${expected}.`)
}

function listAt(fields: Fields, key: string, file: string): readonly unknown[] {
  const value = fields[key] ?? []
  if (Array.isArray(value)) return value
  throw broken(file, `permissions.${key}`, 'a list')
}

/** What comes with a project must not switch the questions off. */
function modeAt({ mode }: Fields, level: SettingsLevel, file: string): PermissionMode | undefined {
  if (mode === undefined) return undefined
  const known = PERMISSION_MODES.filter((name) => name !== 'bypass' || level !== 'project')
  const named = MODE_SPELLINGS[String(mode)] ?? mode
  if (isPermissionMode(named) && known.includes(named)) return named
  throw broken(file, 'permissions.mode', `one of ${known.join(', ')}`)
}

function foldersAt(fields: Fields, level: SettingsLevel, file: string): string[] {
  const base = level === 'project' || level === 'local' ? dirname(dirname(file)) : dirname(file)
  return ['additionalDirectories', 'workspace'].flatMap((key) =>
    listAt(fields, key, file).map((folder) => {
      if (typeof folder !== 'string') throw broken(file, `permissions.${key}`, 'a list of folders')
      return folder.startsWith('~/') ? join(homedir(), folder.slice(2)) : resolve(base, folder)
    }),
  )
}
