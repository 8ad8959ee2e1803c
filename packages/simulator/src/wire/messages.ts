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

/** A block of a message, with its place in the request as it was sent. */
export interface Part {
  readonly role: Role
  readonly block: Block
  readonly message: number
  readonly index: number
}

/** Messages of one role in a row: to the API they are one turn. */
export interface Turn {
  readonly role: Role
  readonly parts: readonly Part[]
  /** The index of the first message in it. */
  readonly message: number
}

/** The blocks of a request, one by one and in turns. */
export interface Conversation {
  readonly turns: readonly Turn[]
  readonly parts: readonly Part[]
  /** The types of all blocks: a rule about one that is not among them need not look at each block. */
  readonly kinds: ReadonlySet<string>
}

/** Merges messages of one role that stand in a row. */
export function conversationOf(messages: readonly Message[]): Conversation {
  const turns: { role: Role; parts: Part[]; message: number }[] = []
  const parts: Part[] = []
  const kinds = new Set<string>()
  let turn: (typeof turns)[number] | undefined
  for (let number = 0; number < messages.length; number++) {
    const { role, content } = messages[number] as Message
    if (turn?.role !== role) {
      turn = { role, parts: [], message: number }
      turns.push(turn)
    }
    for (let index = 0; index < content.length; index++) {
      const block = content[index] as Block
      const part = { role, block, message: number, index }
      turn.parts.push(part)
      parts.push(part)
      kinds.add(block.type)
    }
  }
  return { turns, parts, kinds }
}

/** Where a block stands, as errors name it. */
export function pathOf(part: Part): string {
  return `messages.${part.message}.content.${part.index}`
}

/** A summary stands for all that came before it. */
export function withoutSummarised(parts: readonly Part[]): readonly Part[] {
  const start = parts.findLastIndex(({ block }) => block.type === 'compaction' && typeof block.content === 'string')
  return start > 0 ? parts.slice(start) : parts
}

/** A summary that could not be made: it stands in the conversation and means nothing. */
export function isFailedSummary(block: Block): boolean {
  return block.type === 'compaction' && block.content == null
}

export function isThinking(block: Block): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

/** The tools that a prompt opens with: deferred ones are no part of it until something refers to them. */
export function loadedTools(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter((tool) => !tool.defer_loading)
}

/** The names of the tools that a block brings into the prompt. */
export function toolReferences(block: Block): readonly string[] {
  if (block.type === 'tool_addition') {
    const tool = block.tool as { type: string; name?: string }
    return tool.type === 'tool_reference' && tool.name ? [tool.name] : []
  }
  const content = block.type === 'tool_search_tool_result' ? (block.content as Block).tool_references : block.content
  if (!Array.isArray(content)) return []
  return (content as Block[])
    .filter((inner) => inner.type === 'tool_reference')
    .map((inner) => inner.tool_name as string)
}

/** The lifetime a block is marked with; a mark inside a tool result counts for the whole result. */
export function ttlOf(block: Block | Tool): Ttl | undefined {
  if (block.cache_control) return block.cache_control.ttl ?? '5m'
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return undefined
  const inner = (block.content as Block[]).find((each) => each.cache_control)
  return inner?.cache_control ? (inner.cache_control.ttl ?? '5m') : undefined
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
