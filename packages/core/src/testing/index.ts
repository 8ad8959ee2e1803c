export { type ScriptedModel, type ScriptedTurn, scriptedModel } from './scripted-model.js'
export type { StoreFactory } from './store-contract/store-factory.js'
export { storeContract } from './store-contract.js'
