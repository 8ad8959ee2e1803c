import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isNacreError, NacreError, type Plugin } from '@nacre/core'
import { readSmallFile } from '@nacre/core/node'
import { realPath } from '../settings/load-settings.js'
import { type LoadedSettings, packageOf, type Settings } from '../settings/settings.js'

/** A plugin that somebody wants, and who. */
interface PluginRequest {
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

interface PluginPlaces {
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

/** How long a package may take to load, and a plugin to be set up. */
const SECONDS = 30

/** Waits for something of a plugin. Without a limit, one that never ends would end the program without a word. */
export async function inTime<T>(work: Promise<T> | T, late: (reason: string) => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(`is not ready after ${SECONDS} seconds`)), SECONDS * 1_000)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** The file that a package begins with, looked for from each folder upwards; `undefined` where none has one that may be used. */
async function resolvePackage(
  name: string,
  from: readonly string[],
  mayUse: (file: string) => boolean,
): Promise<string | undefined> {
  for (const folder of from) {
    const found = await resolveFrom(name, folder)
    if (found !== undefined && mayUse(found)) return found
  }
  return undefined
}

/** Whether a name is a file and not a package. */
function isPath(name: string): boolean {
  return name.startsWith('./') || name.startsWith('../') || isAbsolute(name)
}

async function resolveFrom(name: string, folder: string): Promise<string | undefined> {
  if (isPath(name)) {
    const file = resolve(folder, name)
    return existsSync(file) ? file : undefined
  }
  const [, packageName = name, below] = /^((?:@[^/]+\/)?[^/]+)(\/.+)?$/.exec(name) ?? []
  for (let at = resolve(folder); ; at = dirname(at)) {
    const place = join(at, 'node_modules', packageName)
    if (existsSync(join(place, 'package.json'))) return entryOf(place, `.${below ?? ''}`, name)
    if (dirname(at) === at) return undefined
  }
}

/** Modules first: a package that has both forms has to share what it imports with the program. */
async function entryOf(place: string, below: string, name: string): Promise<string | undefined> {
  const manifest = await readSmallFile(join(place, 'package.json'))
  const { exports: map } = JSON.parse(manifest?.toString() ?? '{}') as { exports?: Target }
  const target = map === undefined ? undefined : targetOf(map, below)
  if (target !== undefined) return join(place, target)
  try {
    return createRequire(join(place, '..', 'from.js')).resolve(
      map === undefined && below !== '.' ? join(place, below) : name,
    )
  } catch {
    return undefined
  }
}

type Target = string | null | readonly Target[] | { readonly [key: string]: Target }
const CONDITIONS: ReadonlySet<string> = new Set(['node', 'import', 'module-sync', 'default'])

function targetOf(map: Target, below: string): string | undefined {
  const keyed = typeof map === 'object' && map !== null && Object.keys(map).some((key) => key.startsWith('.'))
  if (keyed) return conditional((map as { readonly [key: string]: Target })[below] ?? null)
  return below === '.' ? conditional(map) : undefined
}

function conditional(target: Target): string | undefined {
  if (typeof target === 'string') return target
  if (target === null) return undefined
  const choices = Array.isArray(target)
    ? (target as readonly Target[])
    : Object.entries(target as { readonly [key: string]: Target }).flatMap(([key, value]) =>
        CONDITIONS.has(key) ? [value] : [],
      )
  return choices.map(conditional).find((found) => found !== undefined)
}

type Module = Readonly<Record<string, unknown>>
type Fail = (reason: string, cause?: unknown) => NacreError

/**
 * The plugins that a module exports: its default, or the only export that is a plugin, or the only one that makes one.
 * What makes one may be asynchronous and may give a list.
 */
async function pluginsIn(
  module: Module,
  { options }: Pick<PluginRequest, 'options'>,
  fail: Fail,
): Promise<readonly Plugin[]> {
  const found = candidateIn(module)
  if (found === undefined) {
    const names = Object.keys(module)
    const what = names.length === 0 ? 'exports nothing' : `exports ${names.join(', ')}`
    throw fail(`${what}. It has to export one plugin, or one function that makes one, best as its default`)
  }
  if (typeof found !== 'function') {
    if (options) throw fail('exports a plugin that takes no options. Take the options out of the settings')
    return checked(found, fail)
  }
  const made = await make(found as Factory, options, fail)
  return checked(made, fail)
}

type Factory = (options?: Readonly<Record<string, unknown>>) => unknown

async function make(factory: Factory, options: PluginRequest['options'], fail: Fail): Promise<unknown> {
  try {
    return await (options ? factory(options) : factory())
  } catch (cause) {
    throw fail(`failed to make its plugin: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
}

function candidateIn(module: Module): unknown {
  const { default: main, ...named } = module
  const isUsable = (value: unknown) => isPlugin(value) || typeof value === 'function'
  if (isUsable(main)) return main
  // A module of the older kind has all that it exports in its default.
  const inner = typeof main === 'object' && main !== null ? { ...(main as Module), ...named } : named
  const values = [...new Set(Object.values(inner))]
  const plugins = values.filter(isPlugin)
  const factories = values.filter((value) => typeof value === 'function')
  if (plugins.length === 1) return plugins[0]
  return plugins.length === 0 && factories.length === 1 ? factories[0] : undefined
}

function checked(made: unknown, fail: Fail): readonly Plugin[] {
  const all = Array.isArray(made) ? (made as readonly unknown[]) : [made]
  if (all.length > 0 && all.every(isPlugin)) return all
  throw fail('gives something that is no plugin. A plugin has a name and a function setup')
}

function isPlugin(value: unknown): value is Plugin {
  const { name, setup } = (value ?? {}) as Partial<Plugin>
  return typeof value === 'object' && typeof name === 'string' && typeof setup === 'function'
}
