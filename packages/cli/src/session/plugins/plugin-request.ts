import { dirname } from 'node:path'
import type { LoadedSettings } from '../../settings/load-settings.js'
import { packageOf } from '../../settings/merge-settings.js'
import type { Settings } from '../../settings/settings.js'

/** A plugin that somebody wants, and who. */
export interface PluginRequest {
  readonly package: string
  readonly options?: Readonly<Record<string, unknown>>
  /** The file that names it, or the command line. */
  readonly from: string
  /** Where a path in place of a package begins. */
  readonly base: string
}

/** The plugins of settings: those of a project only where it is trusted. A package that is named again takes the later options. */
export function pluginRequests(
  { root, files }: LoadedSettings,
  isTrusted: boolean,
  overrides: Settings = {},
): readonly PluginRequest[] {
  const counted = files.filter(({ level }) => level === 'user' || isTrusted)
  const sources = [
    ...counted.map(({ level, path, settings }) => ({
      from: path,
      base: level === 'user' ? dirname(path) : root,
      settings,
    })),
    { from: 'the command line', base: root, settings: overrides },
  ]
  const all = sources.flatMap(({ from, base, settings: { plugins = [] } }) =>
    plugins.map((plugin): PluginRequest => {
      const options = typeof plugin === 'string' ? undefined : plugin.options
      return { package: packageOf(plugin), from, base, ...(options && { options }) }
    }),
  )
  return [...new Map(all.map((request) => [request.package, request])).values()]
}
