export { pluginContract, storeContract } from './contracts.js'
export type { PluginUnderTest } from './plugin-contract/plugin-under-test.js'
export { type ScriptedModel, type ScriptedTurn, scriptedModel } from './scripted-model.js'
export type { StoreFactory } from './store-contract/store-factory.js'
