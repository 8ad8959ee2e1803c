export type { SearchAnswer, SearchError, SearchPage, WebSearch } from './answer/web-search.js'
export type { ModelSpec, PriceTier } from './models/model-spec.js'
export { type CustomModel, MODELS } from './models/model-table.js'
export { asksForDream, dream } from './replies/dream.js'
export { asksForMemories, extractMemories } from './replies/extract-memories.js'
export type { ModelTurn, Reply, ReplyBlock, SimulatedModel } from './replies/model.js'
export {
  type OfflineJob,
  type OfflineOptions,
  offline,
  type Scenario,
  type ScenarioStep,
  type StepContext,
} from './replies/offline.js'
export { type RecordedMessage, recorded, scripted } from './replies/scripted.js'
export { asksForSummary, type SummaryOptions, summarize } from './replies/summarize.js'
export { type Clock, runningClock, stillClock } from './server/clock.js'
export { FAULT_KINDS, type Fault, type FaultKind, type Faults } from './server/faults.js'
export type { Exchange, Ledger, LedgerEntry, Observer, Totals } from './server/ledger.js'
export type { RateLimits } from './server/rate-limits.js'
export {
  type Simulator,
  type SimulatorDetails,
  type SimulatorOptions,
  startSimulator,
} from './server/start-simulator.js'
export type { Account } from './validate/check-request.js'
export type { Block, Json, Message, StopReason, Tool } from './wire/messages.js'
