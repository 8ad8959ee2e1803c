import type { NacreError, Plugin } from '@nacre/core'
import type { PluginRequest } from './plugin-request.js'

type Module = Readonly<Record<string, unknown>>
type Fail = (reason: string, cause?: unknown) => NacreError

/**
 * The plugins that a module exports: its default, or the only export that is a plugin, or the only one that makes one.
 * What makes one may be asynchronous and may give a list.
 */
export async function pluginsIn(
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
