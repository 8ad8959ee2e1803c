import type { Contribution, Plugin, SetupContext } from '../../contract/plugin.js'

/** A plugin that shows what its setups gave. */
export interface Captured {
  readonly plugin: Plugin
  readonly given: { readonly contribution: Contribution; readonly context: SetupContext }[]
}

/** The plugin itself, with its setups looked at. */
export function captured(plugin: Plugin): Captured {
  const given: Captured['given'] = []
  const setup = async (context: SetupContext) => {
    const contribution = await plugin.setup(context)
    given.push({ contribution, context })
    return contribution
  }
  return { plugin: Object.create(plugin, { setup: { value: setup } }) as Plugin, given }
}
