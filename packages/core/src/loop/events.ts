import type { CacheBreak } from '../cache/detect-break.js'
import type { Source } from '../contract/fork.js'
import type { ToolCall, ToolResult } from '../contract/tool.js'
import type { Edit, Receipt } from '../log/edit.js'
import type { AssistantEntry, Block, NoticeEntry, Usage } from '../log/entry.js'
import type { NacreError } from '../nacre-error.js'
import type { ReliefDecision } from '../relief/relief-decision.js'

/** Why a query ended. */
export type EndReason = 'done' | 'aborted' | 'blocked' | 'refused' | 'max-turns' | 'budget' | 'error'

/** What the loop did about something that went wrong. */
export type RecoveryKind =
  | 'retry'
  | 'fallback'
  | 'overflow'
  | 'raise-output'
  | 'continue-output'
  | 'resume-pause'
  | 'empty-answer'
  | 'drop-thinking'

/** What a query tells while it runs. */
export type SessionEvent =
  | { readonly type: 'turn-start'; readonly turn: number }
  | { readonly type: 'delta'; readonly index: number; readonly block: Block }
  | { readonly type: 'response'; readonly entry: AssistantEntry }
  | { readonly type: 'tool-start'; readonly call: ToolCall }
  | { readonly type: 'tool-progress'; readonly call: ToolCall; readonly text: string }
  | { readonly type: 'tool-end'; readonly call: ToolCall; readonly result: ToolResult }
  | { readonly type: 'recovery'; readonly kind: RecoveryKind; readonly attempt: number; readonly reason: string }
  | { readonly type: 'edit'; readonly edit: Edit }
  | { readonly type: 'receipt'; readonly receipt: Receipt }
  | { readonly type: 'relief'; readonly decision: ReliefDecision }
  | { readonly type: 'usage'; readonly source: Source; readonly usage: Usage }
  /** How much of an answer beside the conversation has come so far; at its beginning nothing. */
  | { readonly type: 'fork-progress'; readonly source: Source; readonly characters: number }
  /** What was asked beside the conversation is over, whether it was answered or not. */
  | { readonly type: 'fork-end'; readonly source: Source }
  | { readonly type: 'cache-break'; readonly cacheBreak: CacheBreak }
  | { readonly type: 'notice'; readonly notice: NoticeEntry }
  | { readonly type: 'end'; readonly reason: EndReason; readonly error?: NacreError }
