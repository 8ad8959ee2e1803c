import type { Contribution } from '../contract/plugin.js'
import { NacreError } from '../nacre-error.js'

/** Takes the names of a plugin's tools, commands and reliefs; throws when another plugin, or the same, has one already. */
export type ClaimNames = (plugin: string, contribution: Contribution) => void

export function claimNames(): ClaimNames {
  const holders = new Map<string, string>()
  return (plugin, { tools = [], commands = [], reliefs = [] }) => {
    const parts = { tool: tools, command: commands, relief: reliefs }
    for (const [kind, named] of Object.entries(parts)) {
      for (const { name } of named) {
        const holder = holders.get(`${kind} ${name}`)
        if (holder !== undefined) throw takenError(kind, name, holder, plugin)
        holders.set(`${kind} ${name}`, plugin)
      }
    }
  }
}

function takenError(kind: string, name: string, holder: string, plugin: string): NacreError {
  const who = holder === plugin ? `Plugin '${plugin}' has two` : `Plugins '${holder}' and '${plugin}' both have a`
  const what = `${kind}${holder === plugin ? 's' : ''} called '${name}'`
  const message = `${who} ${what}. Rename one of them, or leave one plugin out.`
  return new NacreError('PLUGIN_SETUP_FAILED', message, { plugin, holder })
}
