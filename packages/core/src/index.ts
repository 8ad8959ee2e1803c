export type { CacheBreak } from './cache/detect-break.js'
export type { Awaitable, Verdict } from './contract/answer.js'
export type { AskOptions, AskResult, ForkOptions, ForkResult, Source } from './contract/fork.js'
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
  PlacedHandler,
  Prompt,
  Transform,
  Transformed,
} from './contract/hooks.js'
export type {
  BlockAt,
  CallFields,
  Capability,
  Model,
  ModelEnd,
  ModelEvent,
  ModelInfo,
  ModelKin,
  Prices,
  Request,
} from './contract/model.js'
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
  Pace,
  Part,
  Pressure,
  Relief,
  Restored,
  RestoreEvent,
  Restorer,
  ShownBlock,
  ShownMessage,
} from './contract/relief.js'
export type { Blob, Lease, SessionStore, SessionSummary, Store } from './contract/store.js'
export type { Tool, ToolCall, ToolContext, ToolResult, ToolSchema } from './contract/tool.js'
export type { Round, View, ViewTokens } from './contract/view.js'
export type { CostTotals, Spent, SpentBy } from './cost/cost-ledger.js'
export { addUsage } from './cost/usage.js'
export type { FlagOrigin, FlagSources, FlagState, Flags } from './flags/flags.js'
export type { KnownFlag, LiveFlags } from './flags/live-flags.js'
export { type AnchorSource, anchors } from './fold/anchors.js'
export { findIdentifiers } from './fold/find-identifiers.js'
export { type FoldOptions, type FoldRoom, foldDraft } from './fold/fold-draft.js'
export { messagesSection } from './fold/messages-section.js'
export { missingMessages, type SaidMessage } from './fold/missing-messages.js'
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
  ReceiptMessages,
  Replace,
  RestoredItem,
  Revert,
  Rule,
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
export type { EndReason, RecoveryKind, SessionEvent } from './loop/events.js'
export { findModel, knownModels, type ModelRow } from './models/model-table.js'
export { observeWindow } from './models/observe-window.js'
export { readsThinking } from './models/reads-thinking.js'
export { type ResolvedModel, type ResolveOptions, resolveModel, type WindowOrigin } from './models/resolve-model.js'
export { type ErrorCode, type ErrorDetails, isNacreError, NacreError } from './nacre-error.js'
export { type CutDecision, type CutFigures, moneyModel } from './relief/money-model.js'
export type { ReliefDecision, ReliefVerdict } from './relief/relief-decision.js'
export type { CompactOptions, CompactOutcome } from './relief/session-relief.js'
export type { Ttl } from './request/markers.js'
export { type Conversation, type ConversationOptions, createConversation } from './session/conversation.js'
export { createSession } from './session/create-session.js'
export type { Inspection } from './session/inspection.js'
export type { QueryOptions, Session, SessionEvents, SessionListeners, UndoOptions } from './session/session.js'
export type {
  OpenSession,
  PersonVerdict,
  Senses,
  SessionDetails,
  SessionLimits,
  SessionOptions,
} from './session/session-options.js'
export { memoryStore } from './stores/memory-store.js'
export type { AccountedClass, Accounting } from './tokens/accounting.js'
export { estimateBlock } from './tokens/estimate-block.js'
export { estimateText } from './tokens/estimate-text.js'
export { type Figure, type ThresholdOptions, type Thresholds, thresholds } from './tokens/thresholds.js'
export { TURN_TOKENS, USER_TURN_TOKENS } from './tokens/turn-tokens.js'
