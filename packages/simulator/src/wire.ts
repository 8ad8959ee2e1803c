export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export type Role = 'user' | 'assistant' | 'system'
export type Ttl = '5m' | '1h'
export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export interface CacheControl {
  readonly type: 'ephemeral'
  readonly ttl?: Ttl | null
}

/** A content block as it stands in a request or a response. */
export interface Block {
  readonly type: string
  readonly cache_control?: CacheControl | null
  readonly [field: string]: unknown
}

export interface Tool {
  readonly name: string
  readonly type?: string | null
  readonly description?: string
  readonly input_schema?: Json
  readonly defer_loading?: boolean
  readonly cache_control?: CacheControl | null
  readonly [field: string]: unknown
}

export interface Message {
  readonly role: Role
  readonly content: readonly Block[]
  readonly clear_at?: 'next_user_message' | 'never' | null
  readonly output_config?: { readonly effort?: Effort | null } | null
}

interface Thinking {
  readonly type: 'adaptive' | 'enabled' | 'disabled' | 'between_tools'
  readonly budget_tokens?: number
  readonly display?: 'summarized' | 'omitted' | 'updates' | null
  readonly block_binding?: { readonly prefix_mismatch_behavior?: 'error' | 'drop_block' | null } | null
}

interface ToolChoice {
  readonly type: 'auto' | 'any' | 'tool' | 'none'
  readonly name?: string
  readonly disable_parallel_tool_use?: boolean
}

export interface ContextEdit {
  readonly type: 'clear_tool_uses_20250919' | 'clear_thinking_20251015' | 'compact_20260112'
  readonly [field: string]: unknown
}

/** A request body whose shape has been checked, with string contents made into text blocks. */
export interface MessagesBody {
  readonly model: string
  readonly max_tokens: number
  readonly messages: readonly Message[]
  readonly system: readonly Block[]
  readonly tools: readonly Tool[]
  readonly tool_choice?: ToolChoice | null
  readonly thinking?: Thinking | null
  readonly output_config?: { readonly effort?: Effort | null; readonly format?: Json } | null
  readonly cache_control?: CacheControl | null
  readonly stop_sequences?: readonly string[] | null
  readonly stream?: boolean | null
  readonly metadata?: { readonly user_id?: string | null } | null
  readonly speed?: 'standard' | 'fast' | null
  readonly diagnostics?: { readonly previous_message_id?: string | null } | null
  readonly context_management?: { readonly edits?: readonly ContextEdit[] | null } | null
  readonly compaction?: { readonly type: 'summarize'; readonly instructions?: string | null } | null
  readonly thread?: Json
}

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | 'compaction'
