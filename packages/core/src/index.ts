export type { Timer } from './async.js'
export type { AccountedClass, Accounting } from './conversation/accounting.js'
export { type Conversation, type ConversationOptions, createConversation } from './conversation/conversation.js'
export { type ErrorCode, type ErrorDetails, isNacreError, NacreError } from './errors.js'
export { type AnchorSource, anchors } from './fold/anchors.js'
export { findIdentifiers } from './fold/find-identifiers.js'
export { type FoldOptions, type FoldRoom, foldDraft } from './fold/fold-draft.js'
export { messagesSection, missingMessages, type SaidMessage } from './fold/quoted-messages.js'
export { findModel, knownModels, type ModelRow } from './models/model-table.js'
export {
  type ResolvedModel,
  type ResolveOptions,
  readsThinking,
  resolveModel,
  type WindowOrigin,
} from './models/resolve-model.js'
export type { FlagOrigin, FlagSources, FlagState, Flags } from './plugins/flags.js'
export { createRanker, type Found, type RankedText, type Ranker, type RankOptions } from './rank/ranker.js'
export { type Embed, type RerankOptions, rerank } from './rank/rerank.js'
export { contentStems } from './rank/words.js'
export type { CompactOptions, CompactOutcome } from './relief/context.js'
export { moneyModel } from './relief/money-model.js'
export type { Ttl } from './request/markers.js'
export { createSession } from './session/create-session.js'
export type {
  Effects,
  Inspection,
  OpenSession,
  QueryOptions,
  Session,
  SessionDetails,
  SessionEvents,
  SessionLimits,
  SessionListeners,
  SessionOptions,
  UndoOptions,
} from './session/types.js'
export { memoryStore } from './stores/memory-store.js'
export { addUsage, type CostTotals, type Spent, type SpentBy } from './tokens/cost.js'
export { estimateBlock, estimateText, TURN_TOKENS, USER_TURN_TOKENS } from './tokens/estimate.js'
export { type Figure, type ThresholdOptions, type Thresholds, thresholds } from './tokens/thresholds.js'
export type {
  AskPerson,
  ChildCalls,
  ChildOptions,
  ChildQuestion,
  ChildSection,
  ChildSession,
  OwnSession,
  SteerOptions,
} from './types/child.js'
export type {
  CacheBreak,
  CutDecision,
  CutFigures,
  Denial,
  EndReason,
  LeftBehind,
  PromptChanges,
  RecoveryKind,
  ReliefDecision,
  ReliefVerdict,
  SessionEvent,
  SizeName,
} from './types/events.js'
export type { AskOptions, AskResult, ForkOptions, ForkResult, Source } from './types/fork.js'
export {
  type Collect,
  type CompactEvent,
  type Decide,
  type Dispatcher,
  type Handler,
  type HookAnswer,
  type HookContext,
  type HookEvent,
  type HookKind,
  type HookMap,
  type HookName,
  type Hooks,
  hookKinds,
  type InstructionsEvent,
  type PlacedHandler,
  type PreCompactAnswer,
  type Prompt,
  type Transform,
  type Transformed,
} from './types/hooks.js'
export type {
  Asked,
  AssistantEntry,
  Block,
  BlockRef,
  Change,
  Drop,
  Edit,
  Entry,
  Epoch,
  Erase,
  Fold,
  Id,
  Insert,
  Json,
  LeftOutItem,
  Logged,
  MessageEntry,
  Note,
  NoticeEntry,
  Price,
  Receipt,
  ReceiptMessages,
  Renew,
  Replace,
  RestoredItem,
  Revert,
  Rule,
  Rung,
  Span,
  StateEntry,
  Usage,
  UserEntry,
} from './types/log.js'
export type {
  BlockPosition,
  CallFields,
  Capability,
  Model,
  ModelEnd,
  ModelEvent,
  ModelInfo,
  ModelKin,
  Prices,
  Request,
} from './types/model.js'
export {
  type Command,
  type Contribution,
  definePlugin,
  type KnownFlag,
  type LiveFlags,
  type Plugin,
  type PluginList,
  type PromptSection,
  type SetupContext,
} from './types/plugin.js'
export type {
  CompactPlan,
  Draft,
  LeftOut,
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
} from './types/relief.js'
export type { Blob, Lease, SessionStore, SessionSummary, Store } from './types/store.js'
export type {
  Awaitable,
  PersonVerdict,
  ServerTool,
  Tool,
  ToolCall,
  ToolContext,
  ToolResult,
  ToolSchema,
  Verdict,
} from './types/tool.js'
export type { Round, View, ViewTokens } from './types/view.js'
