import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { NacreError, type Plugin } from '@nacre/core'
import type { PluginRequest } from './plugin-request.js'
import { pluginsIn } from './plugins-in.js'
import { isPath, resolvePackage } from './resolve-package.js'

export interface PluginPlaces {
  /** The project, where it is trusted: code of a folder that nobody trusts is not loaded, whoever names it. */
  readonly root?: string
  readonly data: string
}

/** Loads the plugins of a package. Whatever goes wrong names the package, who wants it, and what to do. */
export async function loadPlugin(request: PluginRequest, { root, data }: PluginPlaces): Promise<readonly Plugin[]> {
  const { package: name, from, base } = request
  const folders = isPath(name) ? [base] : [...(root === undefined ? [] : [root]), data, ownFolder()]
  const file = await resolvePackage(name, folders)
  if (file === undefined) {
    const remedy = isPath(name)
      ? 'Mend the path, or take it out.'
      : `Install it with: npm install ${name} (or for all projects: npm install --prefix ${JSON.stringify(data)} ${name})`
    throw failed(request, 'MISSING_PLUGIN', `was not found. Looked in: ${folders.join(', ')}. ${remedy}`)
  }
  const module = await import(pathToFileURL(file).href).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw failed(request, 'PLUGIN_SETUP_FAILED', `failed to load from ${file}: ${reason}`, cause)
  })
  return pluginsIn(module as Readonly<Record<string, unknown>>, request, (reason, cause) =>
    failed(request, 'PLUGIN_SETUP_FAILED', `${reason} (${file}; named in ${from})`, cause),
  )
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
