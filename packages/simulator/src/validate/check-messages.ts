import type { ModelSpec } from '../models/model-spec.js'
import { invalid } from '../wire/api-error.js'
import {
  type Block,
  type Conversation,
  type Message,
  type MessagesBody,
  type Part,
  pathOf,
  type Turn,
} from '../wire/messages.js'
import type { Dialect } from './read-request.js'

/** Whether the messages are a conversation that the API takes: who speaks, what is said, and each call with its result. */
export function checkMessages(
  conversation: Conversation,
  body: MessagesBody,
  spec: ModelSpec,
  { version }: Dialect,
): void {
  checkRoles(conversation.turns, body, spec)
  checkContent(body.messages, body.system, version)
  checkPairs(conversation)
  checkMedia(conversation, spec)
}

const ASSISTANT_ONLY = new Set(['tool_use', 'thinking', 'redacted_thinking', 'server_tool_use'])
const USER_ONLY = new Set(['tool_result', 'image', 'container_upload', 'cache_edits'])

/** Who may speak first, where a system message may stand, and which blocks belong to whom. */
function checkRoles(turns: readonly Turn[], { messages, compaction }: MessagesBody, spec: ModelSpec): void {
  const first = turns[0]
  if (!first) throw invalid('messages: at least one message is required')
  if (first.role === 'system') throw invalid('messages.0: a `system` message must not be the first message')
  if (first.role === 'assistant' && first.parts[0]?.block.type !== 'compaction') {
    throw invalid('messages: first message must use the "user" role')
  }
  turns.forEach((turn, index) => {
    if (turn.role === 'system') checkSystemTurn(turn, turns[index - 1], turns[index + 1], spec)
    else checkOwners(turn)
  })
  // A summary may be asked for at any point where no call is open.
  if (!compaction) checkEnd(turns, messages, spec)
}

function checkSystemTurn(turn: Turn, before: Turn | undefined, after: Turn | undefined, spec: ModelSpec): void {
  const place = `messages.${turn.message}`
  if (!spec.systemMessages) throw invalid(`${place}.role: \`system\` messages are not supported for this model`)
  const followsServerTool = before?.role === 'assistant' && isServerResult(before.parts.at(-1)?.block.type)
  if (before?.role !== 'user' && !followsServerTool) {
    throw invalid(`${place}: a \`system\` message must directly follow a \`user\` message or a server tool result`)
  }
  if (after && after.role !== 'assistant') {
    throw invalid(`${place}: a \`system\` message must be the last message or be followed by an \`assistant\` message`)
  }
}

function checkOwners(turn: Turn): void {
  for (const part of turn.parts) {
    const { type } = part.block
    if (turn.role === 'user' && ASSISTANT_ONLY.has(type)) {
      throw invalid(`${pathOf(part)}: \`${type}\` blocks can only be specified in \`assistant\` messages`)
    }
    if (turn.role === 'assistant' && USER_ONLY.has(type)) {
      throw invalid(`${pathOf(part)}: \`${type}\` blocks can only be specified in \`user\` messages`)
    }
  }
}

/** Words put into the model's mouth are refused by newer models; turns that the server itself left open are not. */
function checkEnd(turns: readonly Turn[], messages: readonly Message[], spec: ModelSpec): void {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || messages.at(-1)?.content.length === 0) return
  const end = last.parts.at(-1)?.block.type
  if (end === 'compaction' || end === 'server_tool_use' || isServerResult(end) || end === 'tool_use') return
  if (!spec.prefill) {
    throw invalid(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    )
  }
}

function isServerResult(type: string | undefined): boolean {
  return type !== undefined && type !== 'tool_result' && type.endsWith('_tool_result')
}

/** No empty messages, no empty text; and what newer versions of the API no longer take. */
function checkContent(messages: readonly Message[], system: readonly Block[], version: Dialect['version']): void {
  system.forEach((block, index) => {
    checkText(block, () => `system.${index}`, 'system')
  })
  for (let number = 0; number < messages.length; number++) {
    const message = messages[number] as Message
    const isLast = number === messages.length - 1
    if (message.content.length === 0 && !mayBeEmpty(message, isLast)) {
      throw invalid(
        `messages.${number}: all messages must have non-empty content except for the optional final assistant message`,
      )
    }
    checkBlocks(message, number, version === '2026-10-21')
  }
}

function checkBlocks(message: Message, number: number, isNew: boolean): void {
  for (let index = 0; index < message.content.length; index++) {
    const block = message.content[index] as Block
    // Made into text only for an error: a path for each block would cost more than the checks.
    const path = () => `messages.${number}.content.${index}`
    checkText(block, path, 'messages')
    if (message.clear_at === 'next_user_message') checkPassing(block, path())
    if (isNew) checkRemoved(block, message, path)
  }
}

/** What is soon gone can be neither a change of tools nor the end of a cached prefix. */
function checkPassing(block: Block, path: string): void {
  if (block.type !== 'text') throw invalid(`${path}: a message with \`clear_at\` can only hold text`)
  if (block.cache_control) throw invalid(`${path}.text.cache_control: not permitted in a message with \`clear_at\``)
}

function mayBeEmpty(message: Message, isLast: boolean): boolean {
  if (message.role === 'system') return message.output_config?.effort != null
  return message.role === 'assistant' && isLast
}

function checkText(block: Block, path: () => string, level: string): void {
  if (block.type === 'text') {
    const text = block.text as string
    if (text === '') {
      if (block.cache_control) throw invalid(`${path()}: cache_control cannot be set for empty text blocks`)
      throw invalid(`${level}: text content blocks must be non-empty`)
    }
    if (text.trim() === '') throw invalid(`${level}: text content blocks must contain non-whitespace text`)
  }
  if (block.type === 'tool_result' && Array.isArray(block.content)) {
    ;(block.content as Block[]).forEach((inner, index) => {
      checkText(inner, () => `${path()}.content.${index}`, level)
    })
  }
}

function checkRemoved(block: Block, message: Message, path: () => string): void {
  if (message.role === 'assistant' && block.type === 'document') {
    throw invalid(`${path()}: \`document\` blocks are not permitted in \`assistant\` messages`)
  }
  if (
    message.role === 'user' &&
    block.type === 'text' &&
    Array.isArray(block.citations) &&
    block.citations.length > 0
  ) {
    throw invalid(`${path()}.text.citations: \`citations\` are not permitted in \`user\` messages`)
  }
}

/** Every call has one result in the very next user turn, before anything else there; every result has its call. */
function checkPairs({ turns, kinds }: Conversation): void {
  if (!hasPairs(kinds)) return
  const seen = new Set<string>()
  const lastAnswer = turns.findLastIndex((turn) => turn.role === 'assistant')
  turns.forEach((turn, index) => {
    if (turn.role === 'assistant') {
      checkCalls(turn, turns[index + 1], seen)
      checkServerResults(turn)
      checkServerCalls(turn, turns[index + 1], index === lastAnswer)
    }
    if (turn.role === 'user') checkResults(turn, turns[index - 1])
  })
}

function hasPairs(kinds: ReadonlySet<string>): boolean {
  for (const kind of kinds) if (kind.endsWith('tool_use') || kind.endsWith('tool_result')) return true
  return false
}

const idOf = (part: Part) => part.block.id as string
const resultIdOf = (part: Part) => part.block.tool_use_id as string
const isCall = (part: Part) => part.block.type === 'tool_use'
const isResult = (part: Part) => part.block.type === 'tool_result'

function checkCalls(turn: Turn, next: Turn | undefined, seen: Set<string>): void {
  const calls = turn.parts.filter(isCall)
  if (calls.length === 0) return
  for (const call of calls) {
    if (seen.has(idOf(call))) throw invalid(`${pathOf(call)}: \`tool_use\` ids must be unique`)
    seen.add(idOf(call))
  }
  const answered = new Set(next?.role === 'user' ? leadingResults(next).map(resultIdOf) : [])
  const open = calls.filter((call) => !answered.has(idOf(call)))
  const first = open[0]
  if (first) {
    throw invalid(
      `messages.${first.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.map(idOf).join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    )
  }
}

/** A server tool's result stands behind its call, in the same turn. */
function checkServerResults(turn: Turn): void {
  const called = new Set<string>()
  for (const part of turn.parts) {
    const { type } = part.block
    if (type === 'server_tool_use') called.add(idOf(part))
    if (!isServerResult(type) || called.has(resultIdOf(part))) continue
    throw invalid(
      `${pathOf(part)}: unexpected \`tool_use_id\` found in \`${type}\` blocks: ${resultIdOf(part)}. Each \`${type}\` block must have a corresponding \`server_tool_use\` block before it.`,
    )
  }
}

/** A server tool may still be at work at the very end, as long as nothing but results has come since. */
function checkServerCalls(turn: Turn, next: Turn | undefined, isLast: boolean): void {
  const answered = new Set(turn.parts.filter(({ block }) => isServerResult(block.type)).map(resultIdOf))
  const open = turn.parts.find(({ block }) => block.type === 'server_tool_use' && !answered.has(block.id as string))
  if (!open || (isLast && (next?.parts.every(isResult) ?? true))) return
  const { name, id } = open.block
  throw invalid(
    `${pathOf(open)}: \`${name}\` tool use with id \`${id}\` was found without a corresponding \`${resultTypeOf(name as string)}\` block`,
  )
}

/** Both kinds of tool search have results of one type. */
function resultTypeOf(name: string): string {
  return name.startsWith('tool_search_tool') ? 'tool_search_tool_result' : `${name}_tool_result`
}

function leadingResults(turn: Turn): readonly Part[] {
  const end = turn.parts.findIndex((part) => !isResult(part))
  return end === -1 ? turn.parts : turn.parts.slice(0, end)
}

function checkResults(turn: Turn, before: Turn | undefined): void {
  const calls = new Set(before?.role === 'assistant' ? before.parts.filter(isCall).map(idOf) : [])
  const answered = new Set<string>()
  for (const part of turn.parts) {
    if (!isResult(part)) continue
    const id = resultIdOf(part)
    if (!calls.has(id)) {
      throw invalid(
        `${pathOf(part)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      )
    }
    if (answered.has(id)) {
      throw invalid(
        `${pathOf(part)}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      )
    }
    answered.add(id)
  }
}

const MOST = 600
const MOST_ON_SMALL_WINDOWS = 100
const SMALL_WINDOW = 200_000

/** A request holds so many images and documents, wherever they stand. */
function checkMedia({ parts, kinds }: Conversation, spec: ModelSpec): void {
  if (!kinds.has('image') && !kinds.has('document') && !kinds.has('tool_result')) return
  const limit = spec.window > SMALL_WINDOW ? MOST : MOST_ON_SMALL_WINDOWS
  const count = parts.reduce((sum, { block }) => sum + mediaIn(block), 0)
  if (count > limit) throw invalid(`messages: too many images and documents: ${count} > ${limit}`)
}

function mediaIn(block: Block): number {
  if (block.type === 'image') return 1
  if (block.type === 'document') return isPaged(block.source as { type: string }) ? 1 : 0
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return 0
  return (block.content as Block[]).reduce((sum, inner) => sum + mediaIn(inner), 0)
}

/** Plain text has no pages. */
function isPaged({ type }: { readonly type: string }): boolean {
  return type !== 'text' && type !== 'content'
}
