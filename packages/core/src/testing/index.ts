import type { PluginUnderTest } from './plugin-contract.js'
import type { StoreFactory } from './store-contract.js'
import { loadVitest } from './vitest.js'

export type { PluginUnderTest } from './plugin-contract.js'
export { type ScriptedModel, type ScriptedTurn, scriptedModel } from './scripted-model.js'
export type { StoreFactory } from './store-contract.js'

// The suites need vitest, the scripted model does not: who only wants the model has to install nothing for them.

/** What every plugin promises to its session. Await it in a vitest file. */
export async function pluginContract(label: string, plugin: PluginUnderTest): Promise<void> {
  await loadVitest()
  const suite = await import('./plugin-contract.js')
  suite.pluginContract(label, plugin)
}

/** What every store promises to a session. Await it in a vitest file. */
export async function storeContract(label: string, factory: StoreFactory): Promise<void> {
  await loadVitest()
  const suite = await import('./store-contract.js')
  suite.storeContract(label, factory)
}
