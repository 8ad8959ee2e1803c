import type { CommandSettings } from '@nacre/core/node'

/** What settings files and the command line may say. Files are merged in order: the user's, the project's, its local one. */
export interface Settings {
  readonly model?: string
  /** Tokens, where the model has another window than is known. */
  readonly contextWindow?: number
  readonly permissions?: {
    readonly mode?: 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions'
    readonly allow?: readonly string[]
    readonly deny?: readonly string[]
    readonly ask?: readonly string[]
    readonly workspace?: readonly string[]
  }
  readonly flags?: Readonly<Record<string, boolean>>
  /** Shell commands by hook. */
  readonly hooks?: CommandSettings
  /** Packages that export a plugin, with the options it is made with. */
  readonly plugins?: readonly (
    | string
    | { readonly package: string; readonly options?: Readonly<Record<string, unknown>> }
  )[]
  readonly compact?: CompactSettings
  readonly cache?: CacheSettings
  /** Long-term memory: what it may cost, and when it is put in order. */
  readonly dream?: {
    readonly dailyDollars?: number
    readonly due?: { readonly hours?: number; readonly sessions?: number }
  }
  /** Sub-agents: how far they may go, and who can write to this session. */
  readonly agents?: AgentSettings
  /** Who searches the web, and where. */
  readonly webSearch?: WebSearchSettings
  /** Where commands run. */
  readonly sandbox?: SandboxSettings
  /** In the user's file only: servers by name. A project names its own in `.mcp.json`. */
  readonly mcpServers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** In the user's file only: servers of projects that may start, as `name#fingerprint`. */
  readonly approvedMcpServers?: readonly string[]
}

interface CompactSettings {
  readonly policy?: 'fidelity' | 'balanced' | 'economy'
  readonly instructions?: string
  /** Clearing after a pause: how long it has to be, and how many results stay. */
  readonly idle?: { readonly minutes?: number; readonly keep?: number }
}

/** What the server keeps of a conversation. */
export interface CacheSettings {
  /** How long; five minutes unless told. */
  readonly ttl?: '5m' | '1h'
  /** Whether the server takes deletions by reference, which is no part of the public API. */
  readonly edits?: boolean
}

interface WebSearchSettings {
  /** Whether the model's server may search where rules allow it; it may unless told. */
  readonly server?: boolean
  /** Who searches where the server does not. */
  readonly provider?: 'brave' | 'searxng'
  readonly endpoint?: string
  readonly key?: string
  /** The variable that holds the key. */
  readonly keyVariable?: string
  readonly allowedDomains?: readonly string[]
  readonly blockedDomains?: readonly string[]
  /** Searches of the server in one request. */
  readonly maxUses?: number
}

/** Where commands run, and what they do not see. */
export interface SandboxSettings {
  /** `none`: commands are not put into a sandbox, though they could be. */
  readonly use?: 'auto' | 'none'
  /** Commands that run outside of it where rules allow them, such as `git push:*`. */
  readonly outside?: readonly string[]
  /** Where commands run in the mode `bypassPermissions`; outside unless told. */
  readonly bypass?: 'outside' | 'work'
  /** Places that are not there for commands, beside those that are known to hold keys. */
  readonly hidden?: readonly string[]
}

interface AgentSettings {
  /** The team that this process is a member of, and its name in it. */
  readonly team?: string
  readonly name?: string
  /** Whether other sessions can write to this one; they can unless told. */
  readonly socket?: boolean
  readonly atOnce?: number
  readonly deadlineSeconds?: number
  /** For each agent. */
  readonly dollars?: number
  /** How long `nacre -p` waits for agents in the background. */
  readonly waitSeconds?: number
}

/** All that was said by files and variables, before it is known whether the folder is trusted. */
export interface LoadedSettings {
  /** The folder that the project begins with. */
  readonly root: string
  /** Those that are there, the general before the particular. */
  readonly files: readonly ReadSettings[]
  readonly environment: Settings
}

export interface SettingsFile {
  readonly level: 'user' | 'project' | 'local'
  readonly path: string
}

/** A file that is there, with what it says. */
export interface ReadSettings extends SettingsFile {
  readonly settings: Settings
}

/** The settings that count. `overrides` are those of the command line, which come last. */
export function settingsInForce(
  { files, environment }: LoadedSettings,
  isTrusted: boolean,
  overrides: Settings = {},
): Settings {
  const counted = files.map(({ level, settings }) =>
    level === 'user' || isTrusted ? settings : harmlessPart(settings),
  )
  return mergeSettings([...counted, environment, overrides])
}

/** What a folder that nobody trusts may say: nothing that runs, allows or switches anything. What hides more is welcome. */
function harmlessPart({ model, contextWindow, compact, permissions, sandbox }: Settings): Settings {
  const { deny, ask } = permissions ?? {}
  return {
    ...(model !== undefined && { model }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(compact && { compact }),
    ...((deny || ask) && { permissions: { ...(deny && { deny }), ...(ask && { ask }) } }),
    ...(sandbox?.hidden && { sandbox: { hidden: sandbox.hidden } }),
  }
}

/** Settings taken together: of single values the last, of lists and tables all, later ones above earlier ones. */
export function mergeSettings(all: readonly Settings[]): Settings {
  return all.reduce<Settings>(merge, {})
}

function merge(below: Settings, above: Settings): Settings {
  const permissions = mergePermissions(below.permissions, above.permissions)
  const plugins = mergePlugins(below.plugins, above.plugins)
  const hooks = mergeHooks(below.hooks, above.hooks)
  const dream = mergeInner(below.dream, above.dream, ['due'])
  const compact = mergeInner(below.compact, above.compact, ['idle'])
  const sandbox = mergeSandbox(below.sandbox, above.sandbox)
  return {
    ...below,
    ...above,
    ...(permissions && { permissions }),
    ...(plugins && { plugins }),
    ...(hooks && { hooks }),
    ...(dream && { dream }),
    ...(compact && { compact }),
    ...(sandbox && { sandbox }),
    ...tables(below, above, ['flags', 'cache', 'agents', 'webSearch', 'mcpServers']),
    ...lists(below, above, ['approvedMcpServers']),
  }
}

type Permissions = Settings['permissions']

function mergePermissions(below: Permissions, above: Permissions): Permissions {
  if (!below || !above) return above ?? below
  return { ...below, ...above, ...lists(below, above, ['allow', 'deny', 'ask', 'workspace']) }
}

type Sandbox = Settings['sandbox']

function mergeSandbox(below: Sandbox, above: Sandbox): Sandbox {
  if (!below || !above) return above ?? below
  return { ...below, ...above, ...lists(below, above, ['outside', 'hidden']) }
}

type Plugins = Settings['plugins']

/** A package that is named again takes the later options. */
function mergePlugins(below: Plugins, above: Plugins): Plugins {
  if (!below || !above) return above ?? below
  return [...new Map([...below, ...above].map((each) => [packageOf(each), each])).values()]
}

/** The package that an item of `plugins` names. */
export function packageOf(plugin: NonNullable<Plugins>[number]): string {
  return typeof plugin === 'string' ? plugin : plugin.package
}

/** A table with tables in it. */
function mergeInner<Kind extends object>(
  below: Kind | undefined,
  above: Kind | undefined,
  keys: readonly (keyof Kind)[],
): Kind | undefined {
  if (!below || !above) return above ?? below
  return { ...below, ...above, ...tables(below, above, keys) }
}

function mergeHooks(below: Settings['hooks'], above: Settings['hooks']): Settings['hooks'] {
  if (!below || !above) return above ?? below
  const names = [...new Set([...Object.keys(below), ...Object.keys(above)])]
  return Object.fromEntries(names.map((name) => [name, [...(below[name] ?? []), ...(above[name] ?? [])]]))
}

function tables<Kind extends object>(below: Kind, above: Kind, keys: readonly (keyof Kind)[]): Partial<Kind> {
  const both = keys.filter((key) => below[key] !== undefined && above[key] !== undefined)
  return Object.fromEntries(both.map((key) => [key, { ...below[key], ...above[key] }])) as Partial<Kind>
}

function lists<Kind extends object>(below: Kind, above: Kind, keys: readonly (keyof Kind)[]): Partial<Kind> {
  const both = keys.filter((key) => below[key] !== undefined && above[key] !== undefined)
  const joined = (key: keyof Kind) => [
    ...new Set([...(below[key] as readonly string[]), ...(above[key] as readonly string[])]),
  ]
  return Object.fromEntries(both.map((key) => [key, joined(key)])) as Partial<Kind>
}
