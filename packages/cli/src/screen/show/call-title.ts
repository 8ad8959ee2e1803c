import type { Tool, ToolCall } from '@nacre/core'
import type { ShownTool } from '@nacre/tools'
import { cleanText } from '../../text/clean-text.js'

/** One line that says what a call does; tools that are not ours are named with their first input. */
export function callTitle(call: ToolCall, tool?: Tool): string {
  return cleanText(ownTitle(call, tool) ?? plainTitle(call)).replace(/\s+/g, ' ')
}

function ownTitle(call: ToolCall, tool: Tool | undefined): string | undefined {
  const shown = tool as Partial<ShownTool> | undefined
  if (!tool || !shown?.title) return undefined
  try {
    return shown.title(tool.schema.parse(call.input))
  } catch {
    // The input does not fit: the result will say so.
    return undefined
  }
}

function plainTitle({ name, input }: ToolCall): string {
  const [first] = Object.values(Object(input) as object).filter((value) => typeof value === 'string')
  return first === undefined ? name : `${name} ${first}`
}
