import { dirname, isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isNacreError, NacreError, type Plugin } from '@nacre/core'
import { realPath } from '../../settings/real-path.js'
import { inTime } from './in-time.js'
import type { PluginRequest } from './plugin-request.js'
import { pluginsIn } from './plugins-in.js'
import { isPath, resolvePackage } from './resolve-package.js'

export interface PluginPlaces {
  /** The project: where nobody trusts it, no package is loaded from it, whoever names that. */
  readonly root: string
  readonly isTrusted: boolean
  readonly data: string
}

/** Loads the plugins of a package. Whatever goes wrong names the package, who wants it, and what to do. */
export async function loadPlugin(request: PluginRequest, places: PluginPlaces): Promise<readonly Plugin[]> {
  const { package: name, from, base } = request
  const { root, isTrusted, data } = places
  const folders = isPath(name) ? [base] : [...(isTrusted ? [root] : []), data, ownFolder()]
  const file = await resolvePackage(name, folders, (found) => isPath(name) || mayLoad(found, places))
  if (file === undefined) {
    const everywhere = `npm install --prefix ${JSON.stringify(data)} ${name}`
    const install = isTrusted
      ? `Install it with: npm install ${name} (or for all projects: ${everywhere})`
      : `Packages of ${root} are left out, since nobody trusts it. Install it for all projects with: ${everywhere}`
    const remedy = isPath(name) ? 'Mend the path, or take it out.' : install
    throw failed(request, 'MISSING_PLUGIN', `was not found. Looked in: ${folders.join(', ')}. ${remedy}`)
  }
  const late = (reason: string) => failed(request, 'PLUGIN_SETUP_FAILED', `${reason} (${file}).`)
  const module = await inTime(import(pathToFileURL(file).href), late).catch((cause: unknown) => {
    if (isNacreError(cause)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw failed(request, 'PLUGIN_SETUP_FAILED', `failed to load from ${file}: ${reason}`, cause)
  })
  const plugins = await pluginsIn(module as Readonly<Record<string, unknown>>, request, (reason, cause) =>
    failed(request, 'PLUGIN_SETUP_FAILED', `${reason} (${file}; named in ${from})`, cause),
  )
  // Made from it and not copied: a plugin may be of a class.
  return plugins.map((plugin): Plugin => {
    const setup: Plugin['setup'] = (context) => inTime(plugin.setup(context), late)
    return Object.create(plugin, { setup: { value: setup } })
  })
}

/** Looking upwards from elsewhere may lead into the project too, by its name or by a link. */
function mayLoad(file: string, { root, isTrusted, data }: PluginPlaces): boolean {
  return isTrusted || !isWithin(root, file) || isWithin(data, file)
}

function isWithin(folder: string, file: string): boolean {
  const way = relative(realPath(folder), realPath(file))
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function ownFolder(): string {
  return dirname(fileURLToPath(import.meta.url))
}

function failed(
  { package: name, from }: PluginRequest,
  code: 'MISSING_PLUGIN' | 'PLUGIN_SETUP_FAILED',
  reason: string,
  cause?: unknown,
): NacreError {
  const named = reason.includes(from) ? '' : `, named in ${from},`
  return new NacreError(code, `Plugin package '${name}'${named} ${reason}`, { plugin: name, cause })
}
