import type { Settings } from './settings.js'

/** Settings taken together: of single values the last, of lists and tables all, later ones above earlier ones. */
export function mergeSettings(all: readonly Settings[]): Settings {
  return all.reduce<Settings>(merge, {})
}

function merge(below: Settings, above: Settings): Settings {
  const permissions = mergePermissions(below.permissions, above.permissions)
  const plugins = mergePlugins(below.plugins, above.plugins)
  const hooks = mergeHooks(below.hooks, above.hooks)
  return {
    ...below,
    ...above,
    ...(permissions && { permissions }),
    ...(plugins && { plugins }),
    ...(hooks && { hooks }),
    ...tables(below, above, ['flags', 'compact', 'mcpServers']),
    ...lists(below, above, ['approvedMcpServers']),
  }
}

type Permissions = Settings['permissions']

function mergePermissions(below: Permissions, above: Permissions): Permissions {
  if (!below || !above) return above ?? below
  return { ...below, ...above, ...lists(below, above, ['allow', 'deny', 'ask', 'workspace']) }
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
