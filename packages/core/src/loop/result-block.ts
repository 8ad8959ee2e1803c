import type { ToolCall, ToolResult } from '../contract/tool.js'
import type { Block } from '../log/entry.js'

/** A result as the log has it. An empty one confuses models. */
export function resultBlock(call: ToolCall, { content, isError }: ToolResult): Block {
  const shown = content.filter((block) => block.type !== 'text' || String(block.text).trim() !== '')
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: shown.length > 0 ? shown : [{ type: 'text', text: '(no output)' }],
    ...(isError && { is_error: true }),
  }
}
