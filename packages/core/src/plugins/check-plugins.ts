import type { Plugin } from '../contract/plugin.js'
import { NacreError } from '../nacre-error.js'

/** Throws when a name comes twice, or when a plugin lacks one that it requires. Runs before any setup does. */
export function checkPlugins(plugins: readonly Plugin[], isOn: (plugin: string) => boolean): void {
  const names = plugins.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    const message = `Two plugins are called '${twice}'. Leave one of them out of the list.`
    throw new NacreError('DUPLICATE_PLUGIN', message, { plugin: twice })
  }
  for (const [index, plugin] of plugins.entries()) {
    if (!isOn(plugin.name)) continue
    for (const required of plugin.requires ?? []) {
      const at = names.indexOf(required)
      const wrong = whatIsWrong(plugin, required, plugins[at], at < index, isOn)
      if (!wrong) continue
      const message = `Plugin '${plugin.name}' requires '${required}', which ${wrong}`
      throw new NacreError('MISSING_PLUGIN', message, { plugin: plugin.name, holder: required })
    }
  }
}

function whatIsWrong(
  plugin: Plugin,
  required: string,
  found: Plugin | undefined,
  isEarlier: boolean,
  isOn: (plugin: string) => boolean,
): string | undefined {
  const { name } = plugin
  if (!found) return `is not in the list. Put it before '${name}', or leave '${name}' out.`
  if (!isEarlier) return `comes later in the list. Move it before '${name}'.`
  if (!isOn(required)) return `is switched off. Switch '${required}' on, or '${name}' off as well.`
  const isOnlyMain = plugin.scope === 'all' && found.scope !== 'all'
  return isOnlyMain ? `is not set up in sub-agents. Give '${required}' the scope 'all'.` : undefined
}
