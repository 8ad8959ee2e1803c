import type { ToolCall } from '../contract/tool.js'
import type { Block, Json } from '../log/entry.js'

export function callsOf(content: readonly Block[]): ToolCall[] {
  return content
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({ id: block.id as string, name: block.name as string, input: block.input as Json }))
}
