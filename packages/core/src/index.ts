export { type CacheBreak, detectBreak, type SentAndRead } from './cache/detect-break.js'
export { type Divergence, findDivergence, type OwnedHash, type SentPrefix } from './cache/prefix-ledger.js'
export type { Awaitable, Verdict } from './contract/answer.js'
export type { ForkOptions, ForkResult, Source } from './contract/fork.js'
export type {
  Collect,
  CompactEvent,
  Decide,
  Dispatcher,
  Handler,
  HookAnswer,
  HookContext,
  HookEvent,
  HookKind,
  HookMap,
  HookName,
  Hooks,
  Prompt,
  Transform,
} from './contract/hooks.js'
export type { CallFields, Capability, Model, ModelEvent, ModelInfo, Prices, Request } from './contract/model.js'
export {
  type Command,
  type Contribution,
  definePlugin,
  type Plugin,
  type PromptSection,
  type SetupContext,
} from './contract/plugin.js'
export type {
  CompactPlan,
  Draft,
  Need,
  Offer,
  Pressure,
  Relief,
  Restored,
  RestoreEvent,
  Restorer,
} from './contract/relief.js'
export type { Blob, Lease, SessionStore, SessionSummary, Store } from './contract/store.js'
export type { Tool, ToolCall, ToolContext, ToolResult, ToolSchema } from './contract/tool.js'
export type { Round, View, ViewTokens } from './contract/view.js'
export { type CostLedger, type CostTotals, createCostLedger, type Spent } from './cost/cost-ledger.js'
export { priceUsage, type TokenCounts } from './cost/price-usage.js'
export { createFlags, type FlagOrigin, type FlagSources, type FlagState, type Flags } from './flags/flags.js'
export type { KnownFlag, LiveFlags } from './flags/live-flags.js'
export type { HookOwner } from './hooks/bound-handlers.js'
export { createDispatcher } from './hooks/dispatcher.js'
export type { DispatcherOptions } from './hooks/dispatcher-options.js'
export { type HookSession, handlerContext } from './hooks/handler-context.js'
export type { Timer } from './hooks/timer.js'
export type {
  Change,
  Drop,
  Edit,
  Epoch,
  Erase,
  Fold,
  Insert,
  Note,
  Price,
  Receipt,
  Replace,
  RestoredItem,
  Revert,
  Rung,
} from './log/edit.js'
export type {
  AssistantEntry,
  Block,
  BlockRef,
  Entry,
  Id,
  Json,
  Logged,
  MessageEntry,
  NoticeEntry,
  Span,
  StateEntry,
  Usage,
  UserEntry,
} from './log/entry.js'
export type { Agent, Limits } from './loop/agent.js'
export type { EndReason, RecoveryKind, SessionEvent } from './loop/events.js'
export { type QueryEnd, query } from './loop/query.js'
export { findModel, knownModels, type ModelRow } from './models/model-table.js'
export { observeWindow } from './models/observe-window.js'
export { readsThinking } from './models/reads-thinking.js'
export { type ResolvedModel, type ResolveOptions, resolveModel, type WindowOrigin } from './models/resolve-model.js'
export { type ErrorCode, type ErrorDetails, isNacreError, NacreError } from './nacre-error.js'
export { type LoadedPlugin, type LoadedPlugins, type LoadOptions, loadPlugins } from './plugins/load-plugins.js'
export {
  type BlockPlace,
  LOOKBACK,
  type MarkerClaims,
  placeMarkers,
  type Ttl,
  toMessages,
  toSystem,
} from './request/markers.js'
export type { RenderedBlock, RenderedMessage } from './request/rendered.js'
export type { Rendering, RenderRules } from './request/renderer.js'
export { type Conversation, type ConversationOptions, createConversation } from './session/conversation.js'
export { memoryStore } from './stores/memory-store.js'
export { type Calibration, type CalibrationState, createCalibration } from './tokens/calibration.js'
export { estimateBlock } from './tokens/estimate-block.js'
export { estimateText } from './tokens/estimate-text.js'
export { type Figure, type ThresholdOptions, type Thresholds, thresholds } from './tokens/thresholds.js'
export { TURN_TOKENS, USER_TURN_TOKENS } from './tokens/turn-tokens.js'
export { checkEdit, type Proposal } from './view/check-edit.js'
export type { Projection } from './view/projection.js'
