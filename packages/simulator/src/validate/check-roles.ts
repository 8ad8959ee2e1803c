import { invalid } from '../api-error.js'
import type { ModelSpec } from '../models/model-spec.js'
import type { Message, MessagesBody } from '../wire.js'
import { pathOf, type Turn } from './turns.js'

const ASSISTANT_ONLY = new Set(['tool_use', 'thinking', 'redacted_thinking', 'server_tool_use'])
const USER_ONLY = new Set(['tool_result', 'image', 'container_upload', 'cache_edits'])

/** Who may speak first, where a system message may stand, and which blocks belong to whom. */
export function checkRoles(turns: readonly Turn[], { messages, compaction }: MessagesBody, spec: ModelSpec): void {
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

export function isServerResult(type: string | undefined): boolean {
  return type !== undefined && type !== 'tool_result' && type.endsWith('_tool_result')
}
